public import Events

/// Frames and nanoseconds of a clock that runs at exactly `rate` frames a second, in integers.
@frozen
public struct FrameClock: BitwiseCopyable, Sendable, Equatable {
  /// Frames per second, above 0.
  public var rate: Int64

  public init(rate: Int) {
    precondition(rate > 0)
    self.rate = Int64(rate)
  }

  // Whole seconds are split off first: a product of nanoseconds and rate would overflow after two days.

  /// The frame that plays at `time`: ⌊time·rate/10⁹⌋.
  @_noLocks
  public func frame(at time: Nanoseconds) -> Int64 {
    let (seconds, rest) = FrameClock.divide(time, 1_000_000_000)
    return seconds &* rate &+ rest &* rate / 1_000_000_000
  }

  /// The first nanosecond that belongs to `frame`: ⌈frame·10⁹/rate⌉.
  @_noLocks
  public func time(of frame: Int64) -> Nanoseconds {
    let (seconds, rest) = FrameClock.divide(frame, rate)
    return seconds &* 1_000_000_000 &+ (rest &* 1_000_000_000 &+ rate &- 1) / rate
  }

  // Quotient rounded down, and a remainder that is never negative.
  @_noLocks
  private static func divide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    var quotient = value / divisor
    var rest = value % divisor
    if rest < 0 {
      rest &+= divisor
      quotient &-= 1
    }
    return (quotient, rest)
  }
}
