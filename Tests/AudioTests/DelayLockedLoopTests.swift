import Audio
import Events
import Testing

/// If one of these fails, events sound at the wrong moment, or jitter by a buffer.
@Suite struct DelayLockedLoopTests {
  // A device that runs a little fast or slow, seen once a period.
  private static let start: Nanoseconds = 5_000_000_000_000

  private func truth(_ frame: Int64, _ rate: Double) -> Double {
    Double(DelayLockedLoopTests.start) + Double(frame) * 1e9 / rate
  }

  private func follow(
    rate: Double, period: Int, periods: Int, jitter: (Int) -> Double
  ) -> DelayLockedLoop {
    var loop = DelayLockedLoop(rate: 48000, period: period)
    for index in 0..<periods {
      let frame = Int64(index * period)
      loop.observe(frame: frame, time: Nanoseconds((truth(frame, rate) + jitter(index)).rounded()))
    }
    return loop
  }

  /// 100 ppm fast and slow: cards are within that.
  @Test(arguments: [48004.8, 47995.2, 48000], [64, 256, 1024])
  func findsTheRateOfTheDevice(rate: Double, period: Int) {
    let loop = follow(rate: rate, period: period, periods: 20 * 48000 / period) { _ in 0 }
    let found = loop.map.nanosecondsPerFrame
    #expect(abs(found * rate / 1e9 - 1) < 1e-6)
    let frame: Int64 = 20 * 48000
    #expect(abs(Double(loop.map.time(of: frame)) - truth(frame, rate)) < 2000)
  }

  /// Stamps that are up to 200 µs late in a fixed pattern come out a tenth as rough.
  @Test func smoothsLateStamps() {
    let pattern = [0.0, 120, 30, 200, 10, 80, 160, 50, 0, 190, 20]
    let mean = pattern.reduce(0, +) / Double(pattern.count) * 1000
    var loop = DelayLockedLoop(rate: 48000, period: 256)
    var worst = 0.0
    for index in 0..<4000 {
      let frame = Int64(index * 256)
      let late = pattern[index % pattern.count] * 1000
      loop.observe(frame: frame, time: Nanoseconds(truth(frame, 48000) + late))
      if index > 2000 {
        let error = Double(loop.map.time(of: frame)) - truth(frame, 48000) - mean
        worst = max(worst, abs(error))
      }
    }
    #expect(worst < 20_000)
  }

  @Test func ignoresSingleOutliersAndStartsAnewAfterThree() {
    var loop = follow(rate: 48000, period: 256, periods: 500) { _ in 0 }
    let before = loop.map
    // Half a period of 256 frames is 2.67 ms; with 3 ms more the limit is 5.67 ms.
    var frame: Int64 = 500 * 256
    let late: Nanoseconds = 5_700_000
    #expect(loop.observe(frame: frame, time: Nanoseconds(truth(frame, 48000)) + late) == .ignored)
    #expect(loop.map == before)
    frame += 256
    #expect(loop.observe(frame: frame, time: Nanoseconds(truth(frame, 48000))) == .followed)
    for expected in [DelayLockedLoop.Outcome.ignored, .ignored, .seeded] {
      frame += 256
      #expect(loop.observe(frame: frame, time: Nanoseconds(truth(frame, 48000)) + late) == expected)
    }
    #expect(loop.map.time(of: frame) == Nanoseconds(truth(frame, 48000)) + late)
  }

  @Test func believesWhatIsWithinTheLimit() {
    var loop = follow(rate: 48000, period: 256, periods: 500) { _ in 0 }
    let frame: Int64 = 500 * 256
    let outcome = loop.observe(frame: frame, time: Nanoseconds(truth(frame, 48000)) + 5_600_000)
    #expect(outcome == .followed)
  }

  @Test func aPositionThatStandsStillTeachesNothing() {
    var loop = follow(rate: 48000, period: 256, periods: 500) { _ in 0 }
    let before = loop.map
    let frame = before.frame
    #expect(loop.observe(frame: frame, time: before.time + 1_000_000) == .followed)
    #expect(loop.map == before)
  }
}
