// Every call of libcsound64 that is made between two k-cycles, and the callbacks that Csound makes during one.
// What they do there: `performCycle` takes Csound's own (uncontended) mutex and may allocate for new notes;
// `scoreEvent` allocates the event; the rest touches memory only.
import CCsound
import Glibc

/// What Csound's callbacks reach through its host data.
final class CsoundHost: @unchecked Sendable {
  let messages: MessageRing
  /// Where the block of the next k-cycle goes, interleaved, with room for `blockSamples`.
  var block: UnsafeMutablePointer<Double>?
  var blockSamples = 0
  /// What the next k-cycle hears, interleaved, `inputSamples` of them; nil is silence.
  var input: UnsafePointer<Double>?
  var inputSamples = 0

  init(messages: MessageRing) { self.messages = messages }
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
    let instance = instance
    _unsafePerformance {
      var fields = (p1, start, -1.0, key, velocity)
      withUnsafePointer(to: &fields) {
        $0.withMemoryRebound(to: Double.self, capacity: 5) {
          _ = csoundScoreEvent(instance, CChar(UInt8(ascii: "i")), $0, 5)
        }
      }
    }
  }

  /// Releases a note that `startNote` started (a negative p1 turns it off).
  @_noLocks
  func releaseNote(_ p1: Double) {
    let instance = instance
    _unsafePerformance {
      var fields = (-p1, 0.0, 0.0)
      withUnsafePointer(to: &fields) {
        $0.withMemoryRebound(to: Double.self, capacity: 3) {
          _ = csoundScoreEvent(instance, CChar(UInt8(ascii: "i")), $0, 3)
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

func csoundMessageCallback(
  _ instance: OpaquePointer?, _ attribute: Int32, _ format: UnsafePointer<CChar>?,
  _ arguments: CVaListPointer?
) {
  guard let instance, let format, let arguments, let data = csoundGetHostData(instance)
  else { return }
  // Csound's own limit for a message is 1024 bytes.
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
    let length = Int(vsnprintf(buffer.baseAddress!, 1024, format, arguments))
    if length <= 0 { return }
    let count = min(length, 1023)
    buffer.baseAddress!.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      Unmanaged<CsoundHost>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.messages.push(bytes, count: count, attribute: attribute)
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

func csoundPlayCallback(
  _ instance: OpaquePointer?, _ samples: UnsafePointer<Double>?, _ bytes: Int32
) {
  guard let instance, let samples, let data = csoundGetHostData(instance) else { return }
  Unmanaged<CsoundHost>.fromOpaque(data)._withUnsafeGuaranteedRef { host in
    let count = min(Int(bytes) / MemoryLayout<Double>.size, host.blockSamples)
    host.block?.update(from: samples, count: count)
  }
}

func csoundRecordCallback(
  _ instance: OpaquePointer?, _ samples: UnsafeMutablePointer<Double>?, _ bytes: Int32
) -> Int32 {
  guard let instance, let samples, let data = csoundGetHostData(instance) else { return bytes }
  let count = Int(bytes) / MemoryLayout<Double>.size
  Unmanaged<CsoundHost>.fromOpaque(data)._withUnsafeGuaranteedRef { host in
    // Csound does not clear its buffer: what is not written would be heard again and again.
    let heard = host.input == nil ? 0 : min(count, host.inputSamples)
    if let input = host.input { samples.update(from: input, count: heard) }
    (samples + heard).update(repeating: 0, count: count - heard)
  }
  return bytes
}

func csoundCloseCallback(_ instance: OpaquePointer?) {}

// Csound never opens MIDI devices itself. Without these callbacks `-M0` in a CSD would.

func csoundMIDIOpenCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ device: UnsafePointer<CChar>?
) -> Int32 { 0 }

func csoundMIDIReadCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutableRawPointer?,
  _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 { 0 }

func csoundMIDIWriteCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?,
  _ count: Int32
) -> Int32 { count }

func csoundMIDICloseCallback(
  _ instance: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> Int32 { 0 }
