public import Events

/// The margin of steady timing: how much later than the device's buffer demands everything sounds, so that
/// input which is delivered late still comes in time.
///
/// It covers 99.9 % of the lateness seen, in whole k-cycles: free to grow in the first two seconds, then by one
/// k-cycle per 100 ms at most, so that it is not heard. It never shrinks during a run.
public struct TimingMargin {
  private static var steps: Int { @_noLocks get { 256 } }
  /// The least margin, in nanoseconds.
  public static var least: Nanoseconds { 500_000 }

  private let cycle: Nanoseconds
  private let histogram: UnsafeMutablePointer<Int32>
  private var count: Int64 = 0
  private let settled: Nanoseconds
  private var lastGrowth: Nanoseconds
  /// The margin now: a whole number of k-cycles.
  public private(set) var value: Nanoseconds

  /// - Parameters:
  ///   - cycle: nanoseconds of one k-cycle, above 0.
  ///   - start: when the run began.
  public init(cycle: Nanoseconds, start: Nanoseconds) {
    self.cycle = max(cycle, 1)
    settled = start + 2 * .perSecond
    lastGrowth = start
    value = (TimingMargin.least + self.cycle - 1) / self.cycle * self.cycle
    histogram = .allocate(capacity: TimingMargin.steps)
    histogram.initialize(repeating: 0, count: TimingMargin.steps)
  }

  /// Frees its memory; the last call.
  public func deallocate() { histogram.deallocate() }

  /// Takes note that a command would have needed a margin of `lateness` (0 or below: none) and grows if need be.
  @_noLocks
  public mutating func observe(lateness: Nanoseconds, at now: Nanoseconds) {
    let last = TimingMargin.steps - 1
    var step = 0
    // Beyond the last step, a quarter of a second or more, no margin would help.
    if lateness > 0 { step = Int(min((lateness + cycle - 1) / cycle, Int64(last))) }
    histogram[step] &+= 1
    count &+= 1
    if step == 0 || Int64(step) * cycle <= value { return }
    // The least step that all but 0.1 % of the commands were content with.
    var above: Int64 = 0
    var wanted = last
    while wanted > 0 && (above &+ Int64(histogram[wanted])) &* 1000 <= count {
      above &+= Int64(histogram[wanted])
      wanted -= 1
    }
    let target = min(Int64(wanted) * cycle, 20_000_000)
    if target <= value { return }
    if now < settled {
      value = (target + cycle - 1) / cycle * cycle
      lastGrowth = now
    } else if now &- lastGrowth >= 100_000_000 {
      value += cycle
      lastGrowth = now
    }
  }
}
