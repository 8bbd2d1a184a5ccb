public import Events

/// Follows an audio device's clock from noisy pairs of position and time.
///
/// A second-order loop after F. Adriaensen, "Using a DLL to filter time" (2005), with a bandwidth of 0.5 Hz.
/// Feed it the position and time stamp of the driver, never the time at which a thread woke.
@frozen
public struct DelayLockedLoop: BitwiseCopyable, Sendable {
  /// What became of one observation.
  public enum Outcome: Sendable, Equatable {
    case followed
    /// Too far from the line: most probably a late time stamp.
    case ignored
    /// The first, or the third outlier in a row: the line starts here.
    case seeded
  }

  private let nominal: Double
  private let limit: Double
  private let b: Double
  private let c: Double
  // Times are kept relative to the last seed, so that a Double holds fractions of nanoseconds.
  private var origin: Nanoseconds = 0
  private var time = 0.0
  private var frame: Int64 = 0
  private var nanosecondsPerFrame: Double
  private var outliers = 0
  /// Whether there is a line yet.
  public private(set) var isSeeded = false

  /// - Parameters:
  ///   - rate: nominal frames per second.
  ///   - period: frames between two observations.
  public init(rate: Int, period: Int) {
    nominal = 1e9 / Double(rate)
    let interval = Double(period) * nominal
    let omega = 2 * Double.pi * 0.5 * interval / 1e9
    // √2, written out: libm may not be called here.
    b = 1.414_213_562_373_095_1 * omega
    c = omega * omega / Double(period)
    limit = interval / 2 + 3_000_000
    nanosecondsPerFrame = nominal
  }

  /// Takes the observation that `frame` played at `time`.
  @_noLocks
  @discardableResult
  public mutating func observe(frame: Int64, time: Nanoseconds) -> Outcome {
    if !isSeeded { return seed(frame: frame, time: time) }
    let advance = Double(frame &- self.frame)
    let predicted = self.time + advance * nanosecondsPerFrame
    let error = Double(time &- origin) - predicted
    if error > limit || error < -limit || advance < 0 {
      outliers += 1
      if outliers < 3 { return .ignored }
      return seed(frame: frame, time: time)
    }
    outliers = 0
    // The device's position did not move: there is nothing to learn.
    if advance == 0 { return .followed }
    self.time = predicted + b * error
    nanosecondsPerFrame += c * error
    self.frame = frame
    return .followed
  }

  /// Starts anew at `frame` and `time`, with the nominal rate: after an xrun.
  @_noLocks
  @discardableResult
  public mutating func seed(frame: Int64, time: Nanoseconds) -> Outcome {
    origin = time
    self.time = 0
    self.frame = frame
    nanosecondsPerFrame = nominal
    outliers = 0
    isSeeded = true
    return .seeded
  }

  /// Forgets the line; the next observation seeds.
  @_noLocks
  public mutating func reset() { isSeeded = false }

  /// The line as it is now.
  public var map: TimeMap {
    @_noLocks get {
      TimeMap(
        frame: frame, time: origin &+ Int64(time), nanosecondsPerFrame: nanosecondsPerFrame)
    }
  }
}
