/// How one source of events (an event node, a sensor) has been doing; a snapshot.
public struct SourceStatistics: Sendable, Equatable {
  /// Frames that said something.
  public var reports = 0
  /// Distances of two reports that count: those below a quarter of a second, since a pause is no jitter.
  public var intervals = 0
  /// Their sums, as the kernel stamped the reports: in nanoseconds, and squared, in square microseconds.
  public var intervalSum: Nanoseconds = 0
  public var intervalSquares = 0.0
  /// The same sums for the times that the events carry.
  public var steadySum: Nanoseconds = 0
  public var steadySquares = 0.0
  /// How long after their times events were read: the sum over all reports, and the most. Early ones count 0.
  public var latenessSum: Nanoseconds = 0
  public var worstLateness: Nanoseconds = 0
  /// How often the kernel lost events of it (SYN_DROPPED).
  public var overruns = 0
  /// Samples that its own clock shows to be missing.
  public var lostSamples = 0
  /// How its own clock is followed, or nil where it has none.
  public var clock: Clock?

  public struct Clock: Sendable, Equatable {
    /// How long samples wait so that their spacing is even.
    public var delay: Nanoseconds = 0
    /// How much faster the host's clock runs, less 1.
    public var drift = 0.0
    /// How often it was reset, paused, or jumped.
    public var restarts = 0

    public init() {}
  }

  public init() {}

  /// Reports a second while they come, or 0.
  public var rate: Double { intervalSum > 0 ? Double(intervals) * 1e9 / Double(intervalSum) : 0 }

  /// The standard deviation of the kernel's distances, in seconds.
  public var jitter: Double { deviation(intervalSum, intervalSquares) }

  /// The standard deviation of the distances of the times that the events carry, in seconds.
  public var steadyJitter: Double { deviation(steadySum, steadySquares) }

  /// The mean lateness, in seconds.
  public var meanLateness: Double { reports > 0 ? Double(latenessSum) / 1e9 / Double(reports) : 0 }

  private func deviation(_ sum: Nanoseconds, _ squares: Double) -> Double {
    if intervals == 0 { return 0 }
    let mean = Double(sum) / 1e3 / Double(intervals)
    return max(squares / Double(intervals) - mean * mean, 0).squareRoot() / 1e6
  }

  /// Adds what a later life of the same source did.
  public mutating func add(_ later: SourceStatistics) {
    reports += later.reports
    intervals += later.intervals
    intervalSum += later.intervalSum
    intervalSquares += later.intervalSquares
    steadySum += later.steadySum
    steadySquares += later.steadySquares
    latenessSum += later.latenessSum
    worstLateness = max(worstLateness, later.worstLateness)
    overruns += later.overruns
    lostSamples += later.lostSamples
    guard var other = later.clock else { return }
    other.restarts += clock?.restarts ?? 0
    clock = other
  }
}
