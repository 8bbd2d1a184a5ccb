import Synchronization

/// Score events on their way to PERFORM, as checked text: any thread adds, PERFORM takes.
///
/// Bounded: where PERFORM does not keep up, whoever adds is told so at once and never waits.
final class ScoreQueue: @unchecked Sendable {
  private static let capacity = 1 << 20
  /// Csound holds 32 KB of pending events before it has to allocate; more at once would hold up the sound as well.
  private static let mostPerCycle = 16_384

  private let storage: UnsafeMutablePointer<UInt8>
  // Where PERFORM puts an event and the zero that ends it.
  private let event: UnsafeMutablePointer<UInt8>
  private let added = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private let adding = Mutex(())

  init() {
    storage = .allocate(capacity: ScoreQueue.capacity)
    event = .allocate(capacity: ScoreText.mostBytes + 1)
  }

  deinit {
    storage.deallocate()
    event.deallocate()
  }

  /// Adds all events of a text, or none of them: false when there is no room for it now.
  func add(_ text: ScoreText) -> Bool {
    adding.withLock { _ in
      let position = added.load(ordering: .relaxed)
      let room = ScoreQueue.capacity - (position - taken.load(ordering: .acquiring))
      let needed = text.lines.reduce(0) { $0 + $1.count }
      if needed > room { return false }
      var next = position
      for line in text.lines {
        for byte in line {
          storage[next & (ScoreQueue.capacity - 1)] = byte
          next += 1
        }
      }
      added.store(next, ordering: .releasing)
      return true
    }
  }

  /// PERFORM, before a k-cycle: gives Csound the events that are there, so many that the sound goes on.
  func give(to calls: CsoundCalls) {
    let end = added.load(ordering: .acquiring)
    var position = taken.load(ordering: .relaxed)
    let limit = position + ScoreQueue.mostPerCycle
    while position < end, position < limit {
      var count = 0
      while true {
        // Every event ends with an end of line, and none is longer than this.
        let byte = storage[position & (ScoreQueue.capacity - 1)]
        event[count] = byte
        position += 1
        count += 1
        if byte == 10 { break }
      }
      event[count] = 0
      calls.takeEvent(UnsafeRawPointer(event).assumingMemoryBound(to: CChar.self))
    }
    taken.store(position, ordering: .releasing)
  }
}
