import Events
import LinuxIO
import Synchronization

/// Writes what is heard into a sound file while it plays: PERFORM leaves its blocks here, an ordinary thread writes.
final class Recorder: ThreadBody, @unchecked Sendable {
  /// What waits between both, in seconds: longer than disks usually keep writers waiting.
  private static let waiting = 4
  /// A player or a crash finds a whole file with all but the last second.
  private static let securing: Nanoseconds = 500_000_000

  let path: String
  private let file: SoundFileWriter
  private let channels: Int
  private let capacity: Int
  private let frames: UnsafeMutablePointer<Double>
  private let added = Atomic<Int>(0)
  private let written = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)
  private let isEnding = Atomic<Bool>(false)
  private let say: @Sendable (EngineMessage) -> Void
  private let task = Mutex<BackgroundTask?>(nil)
  private let whyNotWhole = Mutex<String?>(nil)

  /// Why the file lacks a part of what was heard, or nil.
  var failure: String? { whyNotWhole.withLock { $0 } }

  /// Makes the file and begins to wait for blocks.
  ///
  /// - Throws: `EngineError` that names the file.
  init(
    _ path: String, _ format: RecordingFormat, rate: Int, channels: Int,
    say: @escaping @Sendable (EngineMessage) -> Void
  ) throws(EngineError) {
    self.path = path
    self.channels = channels
    self.say = say
    file = try SoundFileWriter(path, format, rate: rate, channels: channels)
    capacity = Recorder.waiting * rate
    frames = .allocate(capacity: capacity * channels)
    do {
      let started = try BackgroundTask.start(self)
      task.withLock { $0 = started }
    } catch {
      file.close()
      throw EngineError(.system, "\(path) cannot be recorded into: \(error).")
    }
  }

  deinit { frames.deallocate() }

  /// PERFORM: one block, interleaved.
  @_noLocks
  func record(_ block: UnsafePointer<Double>, frames count: Int) {
    let position = added.load(ordering: .relaxed)
    if position &- written.load(ordering: .acquiring) &+ count > capacity {
      lost.wrappingAdd(count, ordering: .relaxed)
      return
    }
    var source = 0
    for frame in position..<(position &+ count) {
      let place = (frame % capacity) &* channels
      for channel in 0..<channels {
        self.frames[place &+ channel] = block[source]
        source &+= 1
      }
    }
    added.store(position &+ count, ordering: .releasing)
  }

  /// Asks for the end: what was recorded up to now is written, and the file closed.
  func end() { isEnding.store(true, ordering: .releasing) }

  /// The same, and waits for it. Not PERFORM.
  func finish() {
    end()
    let task = task.withLock { $0 }
    while let task, !task.wait(atMost: .perSecond) {}
  }

  // MARK: the thread that writes

  func run() {
    var secured = monotonicNow()
    var failure: String?
    while true {
      // Before the look at what is there: nothing comes after the end.
      let isLast = isEnding.load(ordering: .acquiring)
      let isWhole = writeWaiting(&failure)
      if isLast && isWhole { break }
      if monotonicNow() - secured >= Recorder.securing {
        file.secure()
        secured = monotonicNow()
        tellLosses()
      }
      if isWhole { sleepUntil(monotonicNow() + 20_000_000) }
    }
    file.close()
    tellLosses()
    // Each holds the other.
    task.withLock { $0 = nil }
  }

  // Whether nothing waits any more.
  private func writeWaiting(_ failure: inout String?) -> Bool {
    let position = written.load(ordering: .relaxed)
    let available = added.load(ordering: .acquiring) - position
    if available == 0 { return true }
    let place = position % capacity
    // Up to the end of the ring, and no more than half a second at once.
    let count = min(available, capacity - place, capacity / (2 * Recorder.waiting))
    if failure == nil, let reason = file.write(frames + place * channels, frames: count) {
      failure = reason
      whyNotWhole.withLock { $0 = reason }
      file.secure()
      say(
        EngineMessage(
          .notice,
          "\(path): the recording has stopped, and the music goes on: \(reason); make room on the disk and record anew."
        ))
    }
    written.store(position + count, ordering: .releasing)
    return false
  }

  private func tellLosses() {
    let frames = lost.exchange(0, ordering: .relaxed)
    if frames == 0 { return }
    whyNotWhole.withLock { $0 = $0 ?? "the disk is too slow" }
    say(
      EngineMessage(
        .notice,
        "\(path): \(frames) frames are missing in the recording, because the disk is too slow; record onto another one."
      ))
  }
}
