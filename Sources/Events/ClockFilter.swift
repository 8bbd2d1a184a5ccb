/// Maps a source's own clock to CLOCK_MONOTONIC, so that samples which were taken evenly are evenly spaced again, however
/// irregularly, and in whatever bursts, they arrived.
///
/// A sample's time is the moment at which it would have arrived without delay, plus a wait that is the same for all: the
/// least with which 99 % of the samples are there before their time (0 over a wire, 10 ms for a Switch pad's bursts of
/// three, at most 20 ms; `DelaySpread` says when it changes). The other way, samples that are old when they arrive, would
/// leave the wait to the margin of steady timing: one pad in bursts would make every device late, and for good. So a
/// source that delivers late pays for it alone, and everybody's latency stays what it is. A sample that comes even later
/// has the time of its arrival.
///
/// Times never go back. They are whole microseconds, as the kernel's are. Owned by one thread; allocates only at its start.
public struct ClockFilter: ~Copyable {
  /// What the readings are.
  public enum Source: Sendable {
    /// A clock of its own, which drifts: within ±0.1 %.
    case clock
    /// A count of samples that were taken at a steady but unknown rate, given as if 4 ms lay between them.
    case counter
  }

  // A block of readings, of which the least delay counts.
  private struct Block: BitwiseCopyable {
    var start: Nanoseconds = 0
    var count = 0
    var least = 0.0
    var reading: Nanoseconds = 0

    @_noLocks
    init() {}
  }

  private let isCounter: Bool
  private var loop: LeastDelayLoop
  private var spread = DelaySpread()
  private var block = Block()
  private var isStarted = false
  private var lastReading: Nanoseconds = 0
  private var lastArrival: Nanoseconds = 0
  private var lastTime = Nanoseconds.none
  // What the line would say for the last reading, and how far from it the times still are after a step of it.
  private var lastTarget = Nanoseconds.none
  private var correction: Nanoseconds = 0
  // How often a counter's rate was guessed: while the guess is bad, so is the choice of the least delays.
  private var guesses = 0
  // How far the line was moved since it was put anew.
  private var shifted = 0.0
  // Blocks in a row that came too late to be believed.
  private var lateBlocks = 0
  /// How often the line had to be put anew: the source was reset, paused, or its clock jumped.
  public private(set) var restarts = 0

  // A quarter of a second.
  private static var blockLength: Nanoseconds { @_noLocks get { 250_000_000 } }
  private static var blockCount: Int { @_noLocks get { 8 } }
  // What a clock that only drifts does not do in one block.
  private static var jump: Double { @_noLocks get { 5_000_000 } }
  // The most by which a first point may be late; a counter's line that falls on belongs to another rate.
  private static var longestShift: Double { @_noLocks get { -25_000_000 } }
  // After a longer silence the line is measured anew.
  private static var longestPause: Nanoseconds { @_noLocks get { 2_000_000_000 } }
  private static var longestCorrection: Nanoseconds { @_noLocks get { 20_000_000 } }

  public init(_ source: Source) {
    switch source {
    case .clock:
      isCounter = false
      loop = LeastDelayLoop(limits: (-0.001, 0.001), isKnown: true)
    case .counter:
      isCounter = true
      loop = LeastDelayLoop(limits: (-0.7, 2), isKnown: false)
    }
  }

  /// How long after its undelayed arrival a sample's time is: the wait that makes spacing even.
  public var delay: Nanoseconds { @_noLocks get { spread.value } }

  /// How much faster the host's clock runs than the source's, less 1.
  public var drift: Double { @_noLocks get { loop.drift } }

  /// The time of a sample.
  ///
  /// - Parameters:
  ///   - reading: the source's clock, unwrapped, in nanoseconds.
  ///   - arrival: when the kernel saw it.
  ///   - isContinuous: whether the readings before it are of the same run of the clock.
  @_noLocks
  public mutating func time(
    of reading: Nanoseconds, arrival: Nanoseconds, isContinuous: Bool = true
  ) -> Nanoseconds {
    let advance = reading &- lastReading
    let passed = arrival &- lastArrival
    lastReading = reading
    lastArrival = arrival
    if !isStarted {
      isStarted = true
      restart(at: reading, arrival)
    } else if !isContinuous || advance < 0 || passed < -ClockFilter.longestPause
      || passed > ClockFilter.longestPause || advance > passed &+ ClockFilter.longestPause
    {
      restarts += 1
      restart(at: reading, arrival)
    }
    follow(reading, arrival)
    // A reading that jumped says nothing of the time that passed.
    let isStep = advance >= 0 && advance < ClockFilter.longestPause
    let step = isStep ? Int64(Double(advance) * (1 + loop.drift)) : passed
    return steady(reading, arrival, after: step)
  }

  /// The time of something that has no reading: its arrival, unless a sample has a later time.
  @_noLocks
  public mutating func time(withoutReadingAt arrival: Nanoseconds) -> Nanoseconds {
    if lastTime != .none && arrival <= lastTime {
      lastTime = lastTime &+ 1000
    } else {
      lastTime = arrival
    }
    return lastTime
  }

  // MARK: the line

  private var isLineKnown: Bool {
    @_noLocks get { !isCounter || guesses == 2 && loop.rateSteps >= 2 }
  }

  @_noLocks
  private mutating func restart(at reading: Nanoseconds, _ arrival: Nanoseconds) {
    // Again so soon: what was known of the rate is wrong.
    if loop.offsetSteps < (isCounter ? 2 : 1) {
      loop.forget()
      guesses = 0
    }
    shifted = 0
    loop.restart(at: reading, arrival: arrival)
    begin(at: reading)
    lateBlocks = 0
  }

  @_noLocks
  private mutating func begin(at reading: Nanoseconds) {
    block = Block()
    block.start = reading
  }

  @_noLocks
  private mutating func follow(_ reading: Nanoseconds, _ arrival: Nanoseconds) {
    var delay = loop.delay(of: reading, arrival: arrival)
    if delay < 0 && isLineKnown {
      if loop.offsetSteps == 0 && shifted > ClockFilter.longestShift {
        // Nothing arrives before it was measured, so the point that the line began with was late.
        loop.shift(by: delay)
        shifted += delay
        block.least = 0
        block.reading = reading
        delay = 0
      } else if loop.offsetSteps == 0 || delay < -ClockFilter.jump {
        restarts += 1
        restart(at: reading, arrival)
        delay = 0
      }
    }
    if block.count == 0 || delay < block.least {
      block.least = delay
      block.reading = reading
    }
    block.count += 1
    if isLineKnown { spread.observe(delay, at: arrival) }
    if block.count >= ClockFilter.blockCount
      && reading &- block.start >= ClockFilter.blockLength
    {
      endBlock(reading)
    }
  }

  @_noLocks
  private mutating func endBlock(_ reading: Nanoseconds) {
    if isLineKnown && loop.offsetSteps > 0 && block.least > ClockFilter.jump {
      // All of it late: something was in its way, or else the clock stood still, or samples were lost that a counter
      // does not know of.
      lateBlocks += 1
      if lateBlocks >= (isCounter ? 1 : 3) {
        restarts += 1
        let arrival = loop.time(of: block.reading) &+ Int64(block.least)
        restart(at: block.reading, arrival)
      }
    } else {
      lateBlocks = 0
      loop.follow(block.least, at: block.reading)
      if isCounter && guesses < 2 && loop.rateSteps == 2 {
        guesses += 1
        loop.measureAgain()
        loop.restart(at: reading, arrival: lastArrival)
      }
    }
    begin(at: reading)
  }

  // MARK: the times

  @_noLocks
  private mutating func steady(
    _ reading: Nanoseconds, _ arrival: Nanoseconds, after step: Nanoseconds
  ) -> Nanoseconds {
    var time = arrival
    if isLineKnown {
      let target = loop.time(of: reading) &+ spread.value
      // How far that is from where the line has put it until now.
      if lastTarget != .none { correction = lastTarget &+ step &+ correction &- target }
      lastTarget = target
      relax(by: step)
      time = target &+ correction
    } else {
      lastTarget = .none
      correction = 0
    }
    if time < arrival &- DelaySpread.step { time = arrival &- DelaySpread.step }
    time -= time % 1000
    if lastTime != .none && time <= lastTime { time = lastTime &+ 1000 }
    lastTime = time
    return time
  }

  // The line moves by steps, the times by 2 % of the time that passes: no spacing is heard to change.
  @_noLocks
  private mutating func relax(by step: Nanoseconds) {
    let most = step > 0 ? step / 50 : 0
    if correction > ClockFilter.longestCorrection { correction = ClockFilter.longestCorrection }
    if correction > 0 {
      correction = correction > most ? correction &- most : 0
    } else if correction < -1_000_000 {
      // Times that are too early would be late when they arrive.
      correction = 0
    } else {
      correction = correction < -most ? correction &+ most : 0
    }
  }
}
