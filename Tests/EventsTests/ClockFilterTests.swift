import Events
import Testing

/// If one of these fails, a gesture that was even sounds uneven, or a sensor's sound comes later and later.
@Suite struct ClockFilterTests {
  private static let millisecond: Nanoseconds = 1_000_000
  private let ms = ClockFilterTests.millisecond

  fileprivate struct Result {
    var samples: [SampleSeries.Sample]
    var times: [Nanoseconds] = []
    var delay: Nanoseconds = 0
    var drift = 0.0
    var restarts = 0

    /// From the sample that was taken so many seconds after the first of the whole series.
    func after(seconds: Double) -> Result {
      let start = 5_000_000_000 + Nanoseconds(seconds * 1e9)
      let index = samples.firstIndex { $0.truth >= start } ?? samples.count
      var rest = self
      rest.samples = Array(samples[index...])
      rest.times = Array(times[index...])
      return rest
    }

    /// The least and the largest of a difference, in milliseconds.
    func range(_ value: (Nanoseconds, SampleSeries.Sample) -> Nanoseconds) -> ClosedRange<Double> {
      let all = zip(times, samples).map { Double(value($0, $1)) / 1e6 }
      return (all.min() ?? 0)...(all.max() ?? 0)
    }

    func range(
      before seconds: Double, _ value: (Nanoseconds, SampleSeries.Sample) -> Nanoseconds
    ) -> ClosedRange<Double> { before(seconds: seconds).range(value) }

    /// From the moment that was measured to the time that the sample carries, in milliseconds.
    var latency: ClosedRange<Double> { range { $0 - $1.truth } }
    /// From the arrival to the time that the sample carries, in milliseconds.
    var lead: ClosedRange<Double> { range { $0 - $1.arrival } }

    func spacing(_ interval: Nanoseconds) -> (largest: Double, rms: Double) {
      spacingError(of: times, interval: interval)
    }
    func arrivalSpacing(_ interval: Nanoseconds) -> (largest: Double, rms: Double) {
      spacingError(of: samples.map(\.arrival), interval: interval)
    }
  }

  /// A counter gets the numbers of the samples instead of readings, as if 4 ms lay between them.
  private func run(_ series: SampleSeries, _ source: ClockFilter.Source = .clock) -> Result {
    var filter = ClockFilter(source)
    var result = Result(samples: series.samples)
    for (number, sample) in series.samples.enumerated() {
      var reading = sample.reading
      if case .counter = source { reading = Nanoseconds(number) * 4 * ms }
      result.times.append(filter.time(of: reading, arrival: sample.arrival))
    }
    result.delay = filter.delay
    result.drift = filter.drift
    result.restarts = filter.restarts
    expectOrder(result)
    return result
  }

  /// What holds whatever comes: times go on, and are neither older than their arrival by more than the margin that
  /// is always there, nor far ahead of it.
  private func expectOrder(_ result: Result) {
    #expect(zip(result.times.dropFirst(), result.times).allSatisfy { $0 > $1 })
    #expect(result.lead.lowerBound >= -0.251)
    #expect(result.lead.upperBound <= 45)
  }

  // MARK: bursts and jitter

  @Test(arguments: [15_000_000, 11_000_000, 8_000_000] as [Nanoseconds])
  func aSwitchPadsBurstsBecomeEvenAgain(report: Nanoseconds) {
    let interval = report / 3
    var series = SampleSeries()
    series.add(12_000, every: interval, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    let result = run(series, .counter)
    let settled = result.after(seconds: 3)
    #expect(settled.arrivalSpacing(interval).rms > Double(interval))
    #expect(settled.spacing(interval).rms < 0.005e6)
    // Two samples are never much nearer or farther: the line moves by 2 %, and one in a hundred may come too late.
    #expect(settled.spacing(interval).largest <= 0.25e6)
    // Always the same delay: what the first of a burst waits for the last, and the report's own.
    #expect(settled.latency.upperBound - settled.latency.lowerBound < 1.6)
    let last = result.after(seconds: 10)
    #expect(last.latency.upperBound - last.latency.lowerBound < 0.4)
    let wait = 2 * Double(interval) / 1e6
    #expect(last.latency.upperBound > wait + 2 && last.latency.upperBound < wait + 4)
    #expect(result.restarts == 0)
  }

  @Test(arguments: [0, 500e-6, -500e-6])
  func burstsOfASensorWithAClockToo(drift: Double) {
    var series = SampleSeries()
    series.add(12_000, every: 5 * ms, drift: drift, burst: 3) {
      Nanoseconds($0 * 1_500_000) + 2 * ms
    }
    let settled = run(series).after(seconds: 1)
    #expect(settled.spacing(5 * ms).rms < 0.01e6)
    #expect(settled.spacing(5 * ms).largest <= 0.102e6)
    #expect(settled.restarts == 0)
  }

  @Test(arguments: [0, 500e-6, -500e-6])
  func aWiresJitterGoesAndNothingWaits(drift: Double) {
    var series = SampleSeries()
    series.add(15_000, every: 4 * ms, drift: drift) { Nanoseconds($0 * 240_000) + ms }
    let result = run(series)
    let settled = result.after(seconds: 10)
    #expect(settled.arrivalSpacing(4 * ms).rms > 0.08e6)
    #expect(settled.spacing(4 * ms).rms < 0.001e6)
    #expect(abs(result.drift - drift) < 20e-6)
    #expect(result.delay <= DelayStep.one)
    #expect(settled.latency.upperBound - settled.latency.lowerBound < 0.05)
    // Before that, too, 2 % of 4 ms is the most, once it has begun.
    #expect(result.after(seconds: 0.5).spacing(4 * ms).largest <= 0.082e6)
  }

  @Test func aRadioLinksTailIsWaitedForOnce() {
    // Most reports in time, a few up to 12 ms late.
    var series = SampleSeries()
    series.add(30_000, every: 4 * ms) { u in
      let sixth = u * u * u * u * u * u
      return Nanoseconds(sixth * 12_000_000) + ms
    }
    let settled = run(series).after(seconds: 3)
    #expect(settled.arrivalSpacing(4 * ms).rms > 2e6)
    #expect(settled.spacing(4 * ms).rms < 0.1e6)
    #expect(settled.latency.upperBound - settled.latency.lowerBound < 1)
    #expect(settled.latency.upperBound < 1 + 12)
  }

  @Test func aStallIsNotWaitedFor() {
    // Twice a minute nothing comes for 60 ms: waiting for that would make every gesture late.
    var series = SampleSeries()
    for _ in 0..<4 {
      series.add(7_500, every: 4 * ms) { Nanoseconds($0 * 1_000_000) + ms }
      series.add(1, every: 4 * ms) { _ in 60 * ms }
    }
    series.add(2_000, every: 4 * ms) { Nanoseconds($0 * 1_000_000) + ms }
    let result = run(series)
    #expect(result.delay <= 2 * ms)
    #expect(result.restarts == 0)
    #expect(result.after(seconds: 122).spacing(4 * ms).largest <= 0.082e6)
  }

  @Test func anAccidentAtTheStartDoesNotLast() {
    // A radio link that is being made: for its first half second it delivers 30 ms late by turns.
    var series = SampleSeries()
    series.add(125, every: 4 * ms) { Nanoseconds($0 * 30_000_000) + ms }
    series.add(10_000, every: 4 * ms) { Nanoseconds($0 * 1_000_000) + ms }
    let result = run(series)
    #expect(result.range(before: 2) { $0 - $1.truth }.upperBound > 10)
    #expect(result.after(seconds: 30).latency.upperBound < 3.5)
    #expect(result.after(seconds: 2).spacing(4 * ms).largest <= 0.082e6)
  }

  // MARK: drift

  @Test func aDriftThatTurnsAroundIsFollowed() {
    var series = SampleSeries()
    series.add(7_500, every: 4 * ms, drift: -500e-6) { Nanoseconds($0 * 240_000) + ms }
    series.add(7_500, every: 4 * ms, drift: 500e-6) { Nanoseconds($0 * 240_000) + ms }
    let result = run(series)
    let settled = result.after(seconds: 10)
    #expect(settled.latency.upperBound - settled.latency.lowerBound < 1.5)
    #expect(settled.spacing(4 * ms).largest <= 0.3e6)
    #expect(abs(result.drift - 500e-6) < 20e-6)
    #expect(result.restarts == 0)
    // Ten seconds later the line is where it was.
    let last = result.after(seconds: 45)
    #expect(last.latency.upperBound - last.latency.lowerBound < 0.1)
  }

  @Test func eightHoursOfDriftLeaveTheDelayAsItWas() {
    var series = SampleSeries()
    for _ in 0..<8 {
      series.add(1_000, every: 4 * ms, drift: 300e-6) { Nanoseconds($0 * 240_000) + ms }
      // An hour that is not simulated sample by sample, but once a second.
      series.add(3_600, every: 1_000 * ms, drift: 300e-6) { Nanoseconds($0 * 240_000) + ms }
    }
    series.add(1_000, every: 4 * ms, drift: 300e-6) { Nanoseconds($0 * 240_000) + ms }
    let result = run(series)
    #expect(result.restarts == 0)
    #expect(result.after(seconds: 30).latency.upperBound < 3)
    #expect(abs(result.drift - 300e-6) < 50e-6)
  }

  // MARK: resets, gaps, losses

  @Test func aClockThatStartsAgainIsMeasuredAnew() {
    var series = SampleSeries()
    series.add(2_500, every: 4 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    // The reading goes back.
    series.pause(40 * ms, reading: -7_000 * ms)
    series.add(2_500, every: 4 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    let result = run(series)
    #expect(result.restarts == 1)
    let settled = result.after(seconds: 10.5)
    #expect(settled.spacing(4 * ms).largest <= 0.082e6)
    // The sound of a gesture does not come earlier or later than before.
    let before = result.latencyBefore(seconds: 10)
    #expect(abs(settled.latency.upperBound - before.upperBound) < 1)
  }

  @Test(arguments: [-100, -20, 20, 200] as [Nanoseconds])
  func aClockThatJumpsIsFollowedWithinASecond(jump: Nanoseconds) {
    var series = SampleSeries()
    series.add(2_500, every: 4 * ms) { Nanoseconds($0 * 240_000) + ms }
    series.pause(0, reading: jump * ms)
    series.add(2_500, every: 4 * ms) { Nanoseconds($0 * 240_000) + ms }
    let result = run(series)
    #expect(result.restarts >= 1)
    let settled = result.after(seconds: 12.5)
    #expect(settled.spacing(4 * ms).largest <= 0.082e6)
    #expect(settled.latency.upperBound < 3)
  }

  @Test(arguments: [true, false])
  func afterSleepTheSpacingIsEvenAtOnce(clockRuns: Bool) {
    // CLOCK_MONOTONIC stands still in a suspend; a pad on a cable may count on, or not.
    var series = SampleSeries()
    series.add(2_500, every: 4 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    series.pause(10_000 * ms, reading: clockRuns ? nil : 0)
    series.add(2_500, every: 4 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    series.pause(20 * ms, reading: 3_600_000 * ms)
    series.add(2_500, every: 4 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    let result = run(series)
    #expect(result.restarts == 2)
    #expect(result.after(seconds: 20.5).before(seconds: 29.9).spacing(4 * ms).largest <= 0.082e6)
    #expect(result.after(seconds: 30.6).spacing(4 * ms).largest <= 0.082e6)
  }

  @Test func lostSamplesLeaveAGapOfTheirLength() {
    var series = SampleSeries()
    series.add(2_500, every: 4 * ms) { Nanoseconds($0 * 240_000) + ms }
    series.pause(100 * ms)
    series.add(2_500, every: 4 * ms) { Nanoseconds($0 * 240_000) + ms }
    let result = run(series)
    #expect(result.restarts == 0)
    #expect(abs(result.times[2_500] - result.times[2_499] - 104 * ms) < 10_000)
  }

  @Test func aCounterThatMissesReportsFindsItsPlaceAgain() {
    // Every five seconds a report of three samples is lost in the air, and the counter does not know.
    var series = SampleSeries()
    for _ in 0..<6 {
      series.add(999, every: 5 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
      series.pause(15 * ms)
    }
    series.add(999, every: 5 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    let result = run(series, .counter)
    #expect(result.restarts == 6)
    // 0.6 s after each of them spacing is even again.
    for loss in 1...6 {
      let seconds = Double(loss) * 5.01
      let calm = result.after(seconds: seconds + 0.6).before(seconds: seconds + 4.9)
      #expect(calm.spacing(5 * ms).largest <= 0.102e6)
    }
  }

  @Test func aCounterWhoseRateChangesIsMeasuredAnew() {
    var series = SampleSeries()
    series.add(3_000, every: 5 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    series.add(6_000, every: 11 * ms / 3, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    series.add(6_000, every: 5 * ms, burst: 3) { Nanoseconds($0 * 1_500_000) + 2 * ms }
    let result = run(series, .counter)
    let fast = result.after(seconds: 18).before(seconds: 36.9)
    #expect(fast.spacing(11 * ms / 3).largest <= 0.08e6)
    #expect(result.after(seconds: 41).spacing(5 * ms).largest <= 0.102e6)
  }

  // MARK: whatever comes

  @Test func nonsenseIsEndured() {
    var random: UInt64 = 7
    func next() -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return random >> 16
    }
    for source in [ClockFilter.Source.clock, .counter] {
      var filter = ClockFilter(source)
      var arrival: Nanoseconds = 0
      var reading: Nanoseconds = 0
      var last = Nanoseconds.min
      var violations = 0
      for _ in 0..<200_000 {
        arrival += Nanoseconds(next() % 20_000_000)
        switch next() % 50 {
        case 0: reading = Nanoseconds(truncatingIfNeeded: next() << 16 ^ next())
        case 1: reading = .max - Nanoseconds(next() % 1000)
        case 2: reading = .min + Nanoseconds(next() % 1000)
        case 3: arrival += Nanoseconds(next() % 10_000_000_000)
        case 4: break
        default: reading &+= Nanoseconds(next() % 30_000_000)
        }
        let time =
          next() % 20 == 0
          ? filter.time(withoutReadingAt: arrival)
          : filter.time(of: reading, arrival: arrival, isContinuous: next() % 100 != 0)
        if time <= last || time < arrival - 251_000 || !filter.drift.isFinite { violations += 1 }
        last = time
      }
      #expect(violations == 0)
      #expect(filter.delay <= 20 * ms)
    }
  }

  private enum DelayStep {
    static let one: Nanoseconds = 250_000
  }
}

extension ClockFilterTests.Result {
  /// Up to the sample that was taken so many seconds after the first of the whole series.
  fileprivate func before(seconds: Double) -> Self {
    let end = 5_000_000_000 + Nanoseconds(seconds * 1e9)
    let count = samples.firstIndex { $0.truth >= end } ?? samples.count
    var rest = self
    rest.samples = Array(samples[..<count])
    rest.times = Array(times[..<count])
    return rest
  }

  fileprivate func latencyBefore(seconds: Double) -> ClosedRange<Double> {
    before(seconds: seconds).after(seconds: seconds - 5).latency
  }
}
