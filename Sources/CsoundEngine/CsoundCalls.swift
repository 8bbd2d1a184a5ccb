// Every call of libcsound64 that is made between two k-cycles, and the callbacks that Csound makes during one.
// What they do there: `performCycle` takes Csound's own (uncontended) mutex and may allocate for new notes;
// `scoreEvent` allocates the event; the rest touches memory only.
import CCsound
import Glibc

/// What Csound's callbacks reach through its host data.
final class CsoundHost: @unchecked Sendable {
  private let messages: MessageRing
  /// The same uncounted, because to count may lock.
  let ring: Unmanaged<MessageRing>
  /// Where the block of the next k-cycle goes, interleaved, with room for `blockSamples`.
  var block: UnsafeMutablePointer<Double>?
  var blockSamples = 0
  /// What the next k-cycle hears, interleaved, `inputSamples` of them; nil is silence.
  var input: UnsafePointer<Double>?
  var inputSamples = 0
  /// Where Csound's MIDI comes from; nil where there is none.
  var midi: Unmanaged<MIDIQueue>?

  init(messages: MessageRing) {
    self.messages = messages
    ring = .passUnretained(messages)
  }
}

/// A Csound instance that has been started; its thread's alone.
struct CsoundCalls: BitwiseCopyable {
  let instance: OpaquePointer

  /// Computes one k-cycle: 0 to go on, above 0 at the end, below 0 an error.
  ///
  /// C: `csoundPerformBuffer`, and not `csoundPerformKsmps`: it arms its long jump in every call, so that
  /// `exitnow` and fatal errors return here. With `-b` ksmps it is exactly one k-cycle.
  @_noLocks
  func performCycle() -> Int32 {
    let instance = instance
    return _unsafePerformance { csoundPerformBuffer(instance) }
  }

  /// Starts a note that is held (C: `csoundScoreEvent` with p3 = −1).
  ///
  /// - Parameter start: p2, in seconds from the next k-cycle's first frame.
  @_noLocks
  func startNote(_ p1: Double, start: Double, key: Double, velocity: Double) {
    scoreEvent((p1, start, -1, key, velocity), count: 5)
  }

  /// Releases a note that `startNote` started (a negative p1 turns it off).
  @_noLocks
  func releaseNote(_ p1: Double) {
    scoreEvent((-p1, 0, 0, 0, 0), count: 3)
  }

  @_noLocks
  private func scoreEvent(_ fields: (Double, Double, Double, Double, Double), count: Int) {
    let instance = instance
    _unsafePerformance {
      var fields = fields
      withUnsafePointer(to: &fields) {
        $0.withMemoryRebound(to: Double.self, capacity: 5) {
          _ = csoundScoreEvent(instance, CChar(UInt8(ascii: "i")), $0, count)
        }
      }
    }
  }

  /// The place of a control channel's value, making the channel if it is not there; nil if the name belongs
  /// to a channel of another type. The engine's thread only: the table of channels has no lock.
  @_noLocks
  func channel(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<Double>? {
    let instance = instance
    return _unsafePerformance {
      var pointer: UnsafeMutablePointer<Double>?
      let type = Int32(CSOUND_CONTROL_CHANNEL.rawValue | CSOUND_INPUT_CHANNEL.rawValue)
      return csoundGetChannelPtr(instance, &pointer, name, type) == 0 ? pointer : nil
    }
  }

  /// Fetches the block of the last k-cycle, where Csound gives it to no module (C: `csoundGetSpout`).
  @_noLocks
  func copyOutput(_ block: UnsafeMutablePointer<Double>, samples: Int, scale: Double) {
    let instance = instance
    _unsafePerformance {
      guard let output = csoundGetSpout(instance) else { return }
      for index in 0..<samples { block[index] = output[index] * scale }
    }
  }

  /// The result of a line of orchestra code (C: `csoundEvalCode`). Compiles: a few per switch, none per k-cycle.
  @_noLocks
  func evaluate(_ code: UnsafePointer<CChar>) -> Double {
    let instance = instance
    return _unsafePerformance { csoundEvalCode(instance, code) }
  }
}

// The callbacks are functions and not closures: a closure written in a main file belongs to the main actor
// and traps on any other thread.

// Those that come between two k-cycles, or in one, are checked like the rest of PERFORM.

@_noLocks
private func host(of instance: OpaquePointer?) -> Unmanaged<CsoundHost>? {
  guard let instance else { return nil }
  guard let data = _unsafePerformance({ csoundGetHostData(instance) }) else { return nil }
  return .fromOpaque(data)
}

@_noLocks
func csoundMessageCallback(
  _ instance: OpaquePointer?, _ attribute: Int32, _ format: UnsafePointer<CChar>?,
  _ arguments: CVaListPointer?
) {
  guard let host = host(of: instance), let format, let arguments else { return }
  let ring = host._withUnsafeGuaranteedRef { $0.ring }
  _unsafePerformance {
    // Csound's own limit for a message is 1024 bytes.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      let length = Int(vsnprintf(buffer.baseAddress!, 1024, format, arguments))
      if length <= 0 { return }
      let count = min(length, 1023)
      buffer.baseAddress!.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
        ring._withUnsafeGuaranteedRef { $0.push(bytes, count: count, attribute: attribute) }
      }
    }
  }
}

func csoundPlayOpenCallback(
  _ instance: OpaquePointer?, _ parameters: UnsafePointer<csRtAudioParams>?
) -> Int32 { 0 }

func csoundRecordOpenCallback(
  _ instance: OpaquePointer?, _ parameters: UnsafePointer<csRtAudioParams>?
) -> Int32 { 0 }

@_noLocks
func csoundPlayCallback(
  _ instance: OpaquePointer?, _ samples: UnsafePointer<Double>?, _ bytes: Int32
) {
  guard let host = host(of: instance), let samples else { return }
  let (block, room) = host._withUnsafeGuaranteedRef { ($0.block, $0.blockSamples) }
  guard let block else { return }
  for index in 0..<min(Int(bytes) / MemoryLayout<Double>.size, room) {
    block[index] = samples[index]
  }
}

@_noLocks
func csoundRecordCallback(
  _ instance: OpaquePointer?, _ samples: UnsafeMutablePointer<Double>?, _ bytes: Int32
) -> Int32 {
  guard let host = host(of: instance), let samples else { return bytes }
  let (input, available) = host._withUnsafeGuaranteedRef { ($0.input, $0.inputSamples) }
  var index = 0
  let count = Int(bytes) / MemoryLayout<Double>.size
  if let input {
    while index < min(count, available) {
      samples[index] = input[index]
      index &+= 1
    }
  }
  // Csound does not clear its buffer: what is not written would be heard again and again.
  while index < count {
    samples[index] = 0
    index &+= 1
  }
  return bytes
}

func csoundCloseCallback(_ instance: OpaquePointer?) {}

// Csound never opens MIDI devices itself. Without these callbacks `-M0` in a CSD would.

func csoundMIDIOpenCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ device: UnsafePointer<CChar>?
) -> Int32 { 0 }

@_noLocks
func csoundMIDIReadCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutableRawPointer?,
  _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
  guard let host = host(of: instance), let bytes else { return 0 }
  let midi = host._withUnsafeGuaranteedRef { $0.midi }
  guard let midi else { return 0 }
  return Int32(midi._withUnsafeGuaranteedRef { $0.read(into: bytes, room: Int(count)) })
}

func csoundMIDIWriteCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?,
  _ count: Int32
) -> Int32 { count }

func csoundMIDICloseCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> Int32 { 0 }
