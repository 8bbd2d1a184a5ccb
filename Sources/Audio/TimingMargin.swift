public import Events

/// The margin of steady timing: how much later than the device's buffer demands everything sounds, so that
/// input which is delivered late still comes in time.
///
/// It covers 99.9 % of the lateness seen, in whole k-cycles: free to grow in the first two seconds, then by one
/// k-cycle per 100 ms at most, so that it is not heard. It never shrinks during a run. Lateness is counted in
/// batches, one for each time that the performer looked; the worst batch of all is an accident, and not followed.
public struct TimingMargin {
  private static var steps: Int { @_noLocks get { 256 } }
  /// The least margin, in nanoseconds.
  public static var least: Nanoseconds { @_noLocks get { 500_000 } }
  /// The most that lateness can make of it: beyond that, a delay is worse than lateness.
  public static var most: Nanoseconds { @_noLocks get { 20_000_000 } }

  private let cycle: Nanoseconds
  // The width of the histogram's steps: whole k-cycles, 0.1 ms or more, so that the last step lies beyond `most`.
  private let width: Nanoseconds
  private let histogram: UnsafeMutablePointer<Int32>
  private var count: Int32 = 0
  private let settled: Nanoseconds
  private var lastGrowth: Nanoseconds
  // The highest step of this batch, and the two highest of the batches so far.
  private var batch = -1
  private var worst = 0
  private var secondWorst = 0
  /// The margin now: a whole number of k-cycles.
  public private(set) var value: Nanoseconds

  /// - Parameters:
  ///   - cycle: nanoseconds of one k-cycle, above 0.
  ///   - start: when the run began.
  public init(cycle: Nanoseconds, start: Nanoseconds) {
    self.cycle = max(cycle, 1)
    width = (100_000 + self.cycle - 1) / self.cycle * self.cycle
    settled = start + 2 * .perSecond
    lastGrowth = start
    value = TimingMargin.least(cycle: self.cycle)
    histogram = .allocate(capacity: TimingMargin.steps)
    histogram.initialize(repeating: 0, count: TimingMargin.steps)
  }

  /// The margin that a run begins with: `least` in whole k-cycles.
  public static func least(cycle: Nanoseconds) -> Nanoseconds {
    (least + cycle - 1) / cycle * cycle
  }

  /// Frees its memory; the last call.
  public func deallocate() { histogram.deallocate() }

  /// Takes note that a command would have needed a margin of `lateness` (0 or below: none).
  @_noLocks
  public mutating func observe(lateness: Nanoseconds) {
    let last = TimingMargin.steps - 1
    var step = 0
    if lateness > 0 { step = Int(min((lateness &+ width &- 1) / width, Int64(last))) }
    if count >= 65536 { forgetHalf() }
    histogram[step] &+= 1
    count &+= 1
    if step > batch { batch = step }
  }

  /// Ends a batch, and grows if need be.
  @_noLocks
  public mutating func settle(at now: Nanoseconds) {
    if batch < 0 { return }
    let highest = batch
    batch = -1
    if highest > worst {
      secondWorst = worst
      worst = highest
    } else if highest > secondWorst {
      secondWorst = highest
    }
    if Int64(highest) &* width <= value { return }
    let wanted = Int64(min(content, secondWorst)) &* width
    let target = min(wanted, (TimingMargin.most &+ cycle &- 1) / cycle &* cycle)
    if target <= value { return }
    if now < settled {
      value = target
      lastGrowth = now
    } else if now &- lastGrowth >= 100_000_000 {
      value &+= cycle
      lastGrowth = now
    }
  }

  // The least step that all but 0.1 % of the commands were content with.
  private var content: Int {
    @_noLocks get {
      var above: Int32 = 0
      var step = TimingMargin.steps - 1
      while step > 0 && Int64(above &+ histogram[step]) &* 1000 <= Int64(count) {
        above &+= histogram[step]
        step &-= 1
      }
      return step
    }
  }

  // What lies far back counts less, or an hour in time would hide a minute of lateness.
  @_noLocks
  private mutating func forgetHalf() {
    var index = 0
    count = 0
    while index < TimingMargin.steps {
      histogram[index] /= 2
      count &+= histogram[index]
      index &+= 1
    }
  }
}
