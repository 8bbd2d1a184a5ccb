/// Follows the line on which a clock's readings would arrive if none of them were delayed.
///
/// A second-order loop as for audio (F. Adriaensen, "Using a DLL to filter time", 2005), with a bandwidth of 0.1 Hz. But a
/// delay on the way to the host is never negative, so it is fed with the least delay of every quarter of a second, not
/// with all of them. Its first steps are those of a straight line fitted through all that it was told.
struct LeastDelayLoop: BitwiseCopyable, Sendable {
  // Host times are kept relative to the origin, so that a Double holds fractions of nanoseconds.
  private var origin: Nanoseconds = 0
  private var offset = 0.0
  private var reading: Nanoseconds = 0
  /// How much faster the host's clock runs, less 1.
  private(set) var drift = 0.0
  private let limits: (low: Double, high: Double)
  private let firstRateStep: Double
  /// Least delays taken since `restart`, and since `forget`.
  private(set) var offsetSteps = 0
  private(set) var rateSteps = 0

  /// - Parameters:
  ///   - limits: of `drift`, above −1.
  ///   - isKnown: whether the clock's rate is nominally the host's.
  init(limits: (low: Double, high: Double), isKnown: Bool) {
    self.limits = limits
    // As if the rate had been measured for a second.
    firstRateStep = isKnown ? 4 : 0
  }

  /// When a reading would arrive without delay, before that of `restart`.
  @_noLocks
  func time(of reading: Nanoseconds) -> Nanoseconds {
    origin &+ Int64(offset + Double(reading &- self.reading) * (1 + drift))
  }

  /// How much later than on the line a reading arrived.
  @_noLocks
  func delay(of reading: Nanoseconds, arrival: Nanoseconds) -> Double {
    Double(arrival &- origin) - offset - Double(reading &- self.reading) * (1 + drift)
  }

  /// Puts the line through one point; the rate stays.
  @_noLocks
  mutating func restart(at reading: Nanoseconds, arrival: Nanoseconds) {
    origin = arrival
    offset = 0
    self.reading = reading
    offsetSteps = 0
  }

  /// Forgets the rate too.
  @_noLocks
  mutating func forget() {
    drift = 0
    rateSteps = 0
  }

  /// Keeps the rate as a first guess, and forgets on what it was based.
  @_noLocks
  mutating func measureAgain() { rateSteps = 0 }

  /// Moves the line as it is.
  @_noLocks
  mutating func shift(by delay: Double) { offset += delay }

  /// Takes the least `delay` of a block of readings, that of `reading`.
  @_noLocks
  mutating func follow(_ delay: Double, at reading: Nanoseconds) {
    let interval = Double(reading &- self.reading)
    offsetSteps += 1
    rateSteps += 1
    // The gains of a least-squares line through n points, until they are as small as the loop's own.
    let n = Double(offsetSteps)
    var gain = 2 * (2 * n - 1) / (n * (n + 1))
    let omega = 2 * Double.pi * 0.1 * (interval > 0 ? interval : 0) * 1e-9
    // √2, written out: libm may not be called here.
    let least = min(1.414_213_562_373_095_1 * omega, 1)
    if gain < least { gain = least }
    offset += interval * (1 + drift) + gain * delay
    self.reading = reading
    // Whole nanoseconds move to the origin, so that the fractions last.
    let whole = Int64(offset)
    origin &+= whole
    offset -= Double(whole)
    if interval <= 0 { return }
    let m = Double(rateSteps) + firstRateStep
    var rateGain = m > 1 ? 6 / (m * (m + 1)) : 0
    let leastRateGain = min(omega * omega, 1)
    if rateGain < leastRateGain { rateGain = leastRateGain }
    drift += rateGain * delay / interval
    if drift < limits.low { drift = limits.low }
    if drift > limits.high { drift = limits.high }
  }
}
