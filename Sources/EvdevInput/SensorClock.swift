internal import Events

/// Unwraps a device's own 32-bit microseconds (MSC_TIMESTAMP) into a time that never goes back.
struct SensorClock: BitwiseCopyable, Sendable {
  /// The time of the last sample, or `.none` before the first.
  private(set) var time: Nanoseconds = .min
  /// Whether the device's own count, and not the host's clock in its place, led to the last sample.
  private(set) var isContinuous = true
  private var lastTicks: UInt32 = 0
  private var lastHostTime: Nanoseconds = 0

  // How much more than the host's clock the device's may have advanced. Samples come in bursts, and late.
  private static var tolerance: Nanoseconds { @_noLocks get { 250_000_000 } }

  @_noLocks
  init() {}

  /// The unwrapped time of a sample.
  ///
  /// - Parameters:
  ///   - ticks: the event's value, whose sign is an accident of its type.
  ///   - hostTime: when the kernel saw it; decides where the device's clock cannot be believed.
  @_noLocks
  mutating func advance(_ ticks: Int32, hostTime: Nanoseconds) -> Nanoseconds {
    let ticks = UInt32(bitPattern: ticks)
    if time == .min {
      time = Nanoseconds(ticks) * 1000
    } else {
      // The wrap at 2³² µs (71.6 min) is exact in this arithmetic.
      var step = Nanoseconds(ticks &- lastTicks) * 1000
      let passed = hostTime > lastHostTime ? hostTime - lastHostTime : 0
      // A device that was reset counts from 0 again, which looks like a wrap; and after more than a whole turn of
      // silence the count says nothing. Then the host's clock stands in.
      if step > 2 * passed + SensorClock.tolerance || passed > SensorClock.wholeTurn {
        step = passed
        isContinuous = false
      } else {
        isContinuous = true
      }
      time += step
    }
    lastTicks = ticks
    lastHostTime = hostTime
    return time
  }

  private static var wholeTurn: Nanoseconds { @_noLocks get { 4_294_967_296_000 } }
}
