/// How far the delays of one source spread: how long to wait so that (nearly) all of its samples are there in time.
///
/// Covers 99 % of the delays seen lately, in steps of 0.25 ms, up to 20 ms. Free to grow in the first two seconds, then
/// by one step per 100 ms at most. Shrinks only where it is 1 ms too long or more, by what thousands of samples say: an
/// accident at the start must not last, and apart from that what waits should always wait equally long.
struct DelaySpread: ~Copyable {
  /// A step, in nanoseconds; what is less than one is no spread.
  static var step: Nanoseconds { @_noLocks get { 250_000 } }
  private static var steps: Int { @_noLocks get { 80 } }

  private let histogram: UnsafeMutablePointer<Int32>
  private var count: Int32 = 0
  private var isStarted = false
  private var settled: Nanoseconds = 0
  private var lastGrowth: Nanoseconds = 0
  private var grown = 0

  init() {
    histogram = .allocate(capacity: DelaySpread.steps + 1)
    histogram.initialize(repeating: 0, count: DelaySpread.steps + 1)
  }

  deinit { histogram.deallocate() }

  /// How long to wait.
  var value: Nanoseconds { @_noLocks get { Int64(grown) &* DelaySpread.step } }

  /// Takes the delay of one sample, in nanoseconds.
  @_noLocks
  mutating func observe(_ delay: Double, at now: Nanoseconds) {
    if !isStarted {
      isStarted = true
      settled = now &+ 2 &* .perSecond
      lastGrowth = now
    }
    var place = 0
    if delay > 0 {
      let end = Double(DelaySpread.steps) * Double(DelaySpread.step)
      place = delay < end ? Int(delay / Double(DelaySpread.step)) : DelaySpread.steps
    }
    histogram[place] &+= 1
    count &+= 1
    if place > grown { grow(at: now) }
    if count == 4096 {
      let enough = wanted(from: 0) + 1
      if enough + 3 <= grown { grown = enough }
      age()
    }
  }

  /// The least step that all but 1 % were content with, but not below `least`.
  @_noLocks
  private func wanted(from least: Int) -> Int {
    var above: Int32 = 0
    var step = DelaySpread.steps
    while step > least && (above &+ histogram[step]) &* 100 <= count {
      above &+= histogram[step]
      step -= 1
    }
    return step
  }

  @_noLocks
  private mutating func grow(at now: Nanoseconds) {
    let wanted = wanted(from: grown)
    if wanted <= grown { return }
    if now < settled {
      grown = wanted
      lastGrowth = now
    } else if now &- lastGrowth >= 100_000_000 {
      grown += 1
      lastGrowth = now
    }
  }

  // Half of what is old counts, so that the last half minute says more than the hour before it.
  @_noLocks
  private mutating func age() {
    count = 0
    var place = 0
    while place <= DelaySpread.steps {
      histogram[place] /= 2
      count &+= histogram[place]
      place += 1
    }
  }
}
