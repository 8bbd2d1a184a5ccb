// Every call of libjack that JACK's own thread makes within a cycle, so that this file alone has to be read to know
// what they do there: none of them waits.
import Events
import Glibc
import LinuxIO

/// What a cycle of JACK asks of the library.
struct JACKCalls: BitwiseCopyable {
  private let client: JACKLibrary.Client
  private let portGetBuffer: @convention(c) (JACKLibrary.Port, UInt32) -> UnsafeMutableRawPointer?
  private let getTime: @convention(c) () -> UInt64
  private let getCycleTimes:
    @convention(c) (
      JACKLibrary.Client, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt64>,
      UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<Float>
    ) -> Int32
  private let getXrunDelay: @convention(c) (JACKLibrary.Client) -> Float
  private let nominalFrame: Double

  init(_ library: JACKLibrary, _ client: JACKLibrary.Client, rate: Int) {
    self.client = client
    portGetBuffer = library.portGetBuffer
    getTime = library.getTime
    getCycleTimes = library.getCycleTimes
    getXrunDelay = library.getXrunDelayedUsecs
    nominalFrame = 1e9 / Double(rate)
  }

  /// The beginning of a cycle on Sonde's clock.
  struct CycleTimes: BitwiseCopyable {
    /// JACK's own count, which wraps around.
    var frame: UInt32
    var start: Nanoseconds
    var nanosecondsPerFrame: Double
  }

  /// C: `jack_get_cycle_times`, the line that the server itself fits to its wake-ups.
  ///
  /// JACK's clock is CLOCK_MONOTONIC_RAW in jackd2 and CLOCK_MONOTONIC in PipeWire, and the first drifts against
  /// the second; so the distance is measured each time.
  @_noLocks
  func cycleTimes(frames: Int) -> CycleTimes {
    let client = client
    let getTime = getTime
    let getCycleTimes = getCycleTimes
    let nominalFrame = nominalFrame
    return _unsafePerformance {
      var before = monotonicNow()
      var microseconds = getTime()
      var after = monotonicNow()
      // Interrupted between the two clocks: the distance would be wrong by as much.
      var tries = 0
      while after - before > 20_000 && tries < 3 {
        before = monotonicNow()
        microseconds = getTime()
        after = monotonicNow()
        tries += 1
      }
      let offset = before + (after - before) / 2 - Int64(microseconds) * 1000
      var frame: UInt32 = 0
      var current: UInt64 = 0
      var next: UInt64 = 0
      var period: Float = 0
      if getCycleTimes(client, &frame, &current, &next, &period) != 0 || next <= current {
        return CycleTimes(frame: frame, start: after, nanosecondsPerFrame: nominalFrame)
      }
      return CycleTimes(
        frame: frame, start: Int64(current) * 1000 + offset,
        nanosecondsPerFrame: Double(next - current) * 1000 / Double(frames))
    }
  }

  /// How much too late the server was at the last xrun (C: `jack_get_xrun_delayed_usecs`).
  var xrunLength: Nanoseconds {
    let microseconds = getXrunDelay(client)
    return microseconds > 0 && microseconds < 1e9 ? Int64(microseconds * 1000) : 0
  }

  /// Plays a channel in this cycle: `count` frames of `samples`, then silence up to `frames`.
  @_noLocks
  func play(
    _ samples: UnsafePointer<Float>, count: Int, of frames: Int, on port: JACKLibrary.Port
  ) {
    let portGetBuffer = portGetBuffer
    _unsafePerformance {
      guard let buffer = portGetBuffer(port, UInt32(frames)) else { return }
      memcpy(buffer, samples, count * 4)
      memset(buffer + count * 4, 0, (frames - count) * 4)
    }
  }

  /// Fetches what was captured for this cycle.
  @_noLocks
  func capture(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, from port: JACKLibrary.Port
  ) {
    let portGetBuffer = portGetBuffer
    _unsafePerformance {
      guard let buffer = portGetBuffer(port, UInt32(frames)) else { return }
      memcpy(samples, buffer, frames * 4)
    }
  }
}
