import Events
import Synchronization

/// MIDI messages on their way to Csound: any thread adds, Csound's own callback takes on PERFORM.
///
/// Bounded. When it runs full, controllers are dropped before notes: a note-off that is lost sounds for ever.
final class MIDIQueue: @unchecked Sendable {
  private static let capacity = 4096
  /// Room that only notes may use.
  private static let keptForNotes = 1024

  private struct Adding {
    var assembler = MIDIAssembler()
    /// Notes that sound, by channel and key: two note-ons need two note-offs.
    var sounding = [UInt8](repeating: 0, count: 16 * 128)
  }

  private let ring = SPSCRing<MIDIAssembler.Message>(capacity: MIDIQueue.capacity)
  // The same uncounted, for the callback.
  private let taken: Unmanaged<SPSCRing<MIDIAssembler.Message>>
  private let adding = Mutex(Adding())
  private let dropped = Atomic<Int>(0)

  init() { taken = .passUnretained(ring) }

  /// Messages that found no room.
  var dropCount: Int { dropped.load(ordering: .relaxed) }

  /// Adds bytes as a cable carries them.
  func add(_ bytes: some Sequence<UInt8>) {
    adding.withLock { adding in
      for byte in bytes {
        if let message = adding.assembler.take(byte) { push(message, &adding) }
      }
    }
  }

  /// Ends every note that sounds, lifts the pedals, and tells all channels that nothing sounds any more.
  ///
  /// Csound ignores "all sound off" (controller 120), so every note gets its own note-off.
  func panic() {
    adding.withLock { adding in
      for channel in 0..<16 {
        // The pedal first: it would hold the notes.
        push(controller(64, 0, channel), &adding)
        for key in 0..<128 {
          for _ in 0..<adding.sounding[channel * 128 + key] {
            let off = MIDIAssembler.Message(
              status: 0x80 | UInt8(channel), first: UInt8(key), second: 0)
            push(off, &adding)
          }
        }
      }
      push(controller(123, 0, 0), &adding)
    }
  }

  private func controller(_ number: UInt8, _ value: UInt8, _ channel: Int) -> MIDIAssembler.Message
  {
    MIDIAssembler.Message(status: 0xB0 | UInt8(channel), first: number, second: value)
  }

  private func push(_ message: MIDIAssembler.Message, _ adding: inout Adding) {
    let kind = message.status & 0xF0
    let isNote = kind == 0x80 || kind == 0x90
    if ring.room() <= (isNote ? 0 : MIDIQueue.keptForNotes) {
      dropped.wrappingAdd(1, ordering: .relaxed)
      return
    }
    if isNote { follow(message, &adding) }
    ring.push(message)
  }

  private func follow(_ message: MIDIAssembler.Message, _ adding: inout Adding) {
    let place = Int(message.status & 0x0F) * 128 + Int(message.first)
    let count = adding.sounding[place]
    if message.status & 0xF0 == 0x90 && message.second > 0 {
      if count < .max { adding.sounding[place] = count + 1 }
    } else if count > 0 {
      adding.sounding[place] = count - 1
    }
  }

  /// Csound's callback: whole messages only, as many as fit.
  ///
  /// - Returns: the number of bytes.
  @_noLocks
  func read(into bytes: UnsafeMutablePointer<UInt8>, room: Int) -> Int {
    var count = 0
    while count &+ 3 <= room {
      guard let message = taken._withUnsafeGuaranteedRef({ $0.next() }) else { break }
      bytes[count] = message.status
      bytes[count &+ 1] = message.first
      if message.status & 0xE0 == 0xC0 {
        count &+= 2
      } else {
        bytes[count &+ 2] = message.second
        count &+= 3
      }
    }
    return count
  }
}

extension SPSCRing where Element == MIDIAssembler.Message {
  /// The oldest message; concrete, so that the realtime check sees through it.
  @_noLocks
  func next() -> MIDIAssembler.Message? { pop() }
}
