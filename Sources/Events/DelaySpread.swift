/// How far the delays of one source spread: how long to wait so that (nearly) all of its samples are there in time.
///
/// Covers 99 % of the delays seen, in steps of 0.25 ms, up to 20 ms. Free to grow in the first two seconds, then by one
/// step per 100 ms at most; never shrinks, so that what waits always waits equally long.
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
    if count == 8192 { age() }
    if place > grown { grow(at: now) }
  }

  @_noLocks
  private mutating func grow(at now: Nanoseconds) {
    // The least step that all but 1 % were content with.
    var above: Int32 = 0
    var wanted = DelaySpread.steps
    while wanted > grown && (above &+ histogram[wanted]) &* 100 <= count {
      above &+= histogram[wanted]
      wanted -= 1
    }
    if wanted <= grown { return }
    if now < settled {
      grown = wanted
      lastGrowth = now
    } else if now &- lastGrowth >= 100_000_000 {
      grown += 1
      lastGrowth = now
    }
  }

  // Half of what is old counts, so that the last minute says more than the hour before it.
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
