import Audio
import Events
import Testing

/// If one of these fails, late input is heard early or late by turns, or the delay jumps audibly.
@Suite struct TimingMarginTests {
  private let cycle: Nanoseconds = 666_667

  /// Runs a margin through batches of lateness, one per period of 5 ms from `start` on.
  private func values(
    _ batches: [[Nanoseconds]], cycle: Nanoseconds? = nil, from start: Nanoseconds = 0
  ) -> [Nanoseconds] {
    var margin = TimingMargin(cycle: cycle ?? self.cycle, start: 0)
    defer { margin.deallocate() }
    return batches.enumerated().map { number, batch in
      for lateness in batch { margin.observe(lateness: lateness) }
      margin.settle(at: start + Nanoseconds(number) * 5_000_000)
      return margin.value
    }
  }

  @Test func startsWithHalfAMillisecondInWholeCycles() {
    #expect(values([[]]) == [cycle])
    #expect(values([[]], cycle: 208_334) == [3 * 208_334])
    #expect(TimingMargin.least(cycle: 20_834) == 24 * 20_834)
  }

  @Test func settlesAtOnceInTheFirstTwoSeconds() {
    // 3 ms are 4.5 k-cycles, rounded up. The first time it may be an accident.
    #expect(values([[3_000_000], [3_000_000]]) == [cycle, 5 * cycle])
  }

  @Test func growsByOneCycleIn100MillisecondsLater() {
    // At once, and after 100, 200 and 300 ms: 5 are enough then.
    let late = values(Array(repeating: [3_000_000], count: 100), from: 2_500_000_000)
    #expect(late.last == 5 * cycle)
    for (before, after) in zip(late, late.dropFirst()) {
      #expect(after - before == 0 || after - before == cycle)
    }
    for (before, after) in zip(late, late.dropFirst(20)) { #expect(after - before <= cycle) }
  }

  @Test func oneStragglerInThousandsChangesNothing() {
    let calm = Array(repeating: [Nanoseconds](repeating: -100_000, count: 5), count: 1000)
    #expect(values(calm + [[10_000_000]]).last == cycle)
    #expect(values(calm + [[10_000_000], [-1], [10_000_000]]).last == cycle)
  }

  /// The machine hiccups once while it starts, and forty events come 15 ms late: that must not delay the whole run.
  @Test(arguments: [0, 2_500_000_000] as [Nanoseconds])
  func oneHugeOutlierIsNotFollowed(start: Nanoseconds) {
    let calm: [[Nanoseconds]] = Array(repeating: [-100_000], count: 50)
    let hiccup = [[Nanoseconds](repeating: 15_000_000, count: 40)]
    #expect(values(calm + hiccup + calm, from: start).last == cycle)
    #expect(values(hiccup + calm, from: start).last == cycle)
  }

  /// A Bluetooth sensor hands over three samples at once, of which the first is 15 ms old.
  @Test func burstsAreCoveredFromTheThirdOn() {
    let burst: [[Nanoseconds]] = [[15_000_000, 10_000_000, 5_000_000], [], []]
    let all = values(Array(repeating: burst, count: 50).flatMap(\.self))
    #expect(all[2] == cycle)
    #expect(all[5] >= 15_000_000 && all[5] <= 15_000_000 + 2 * cycle)
    #expect(all.last == all[5])
  }

  /// Lateness creeps up to 5 ms within an hour; after that hour of good input it must still be noticed.
  @Test func slowDriftIsFollowedInSmallSteps() {
    let batches = (0..<40_000).map { [Nanoseconds](repeating: Nanoseconds($0) * 125, count: 5) }
    let all = values(batches)
    #expect(all.last! >= 4_900_000 && all.last! <= 5_000_000 + 2 * cycle)
    for (before, after) in zip(all, all.dropFirst()) where after != before {
      #expect(after - before == cycle)
    }
  }

  @Test func whatIsLateAfterHoursInTimeIsNoticedWithinASecond() {
    let calm = Array(repeating: [Nanoseconds](repeating: -100_000, count: 50), count: 20_000)
    let late = Array(repeating: [Nanoseconds](repeating: 3_000_000, count: 5), count: 200)
    #expect(values(calm + late).last == 5 * cycle)
  }

  @Test(arguments: [20_834, 666_667, 21_333_334] as [Nanoseconds])
  func aFloodOfLatenessEndsAt20Milliseconds(cycle: Nanoseconds) {
    let flood = Array(repeating: [Nanoseconds](repeating: 500_000_000, count: 4096), count: 300)
    let last = values(flood, cycle: cycle).last!
    #expect(last >= 20_000_000 && last < 20_000_000 + cycle)
  }

  @Test func neverShrinks() {
    let batches: [[Nanoseconds]] = [[4_000_000], [4_000_000]]
    let all = values(batches + Array(repeating: [0, 0, 0, 0, 0], count: 50_000))
    #expect(all.last == 6 * cycle)
  }

  @Test func aSensorThatComesInBurstsMakesNobodyElseLater() {
    // Three samples at once every 15 ms, read 0.1 ms after their arrival: the oldest is 10 ms old by then.
    var margin = TimingMargin(cycle: cycle, start: 0)
    defer { margin.deallocate() }
    var filter = ClockFilter(.clock)
    for number in 0..<6000 {
      let arrival = (Nanoseconds(number) / 3 * 3 + 2) * 5_000_000 + 2_000_000
      let time = filter.time(of: Nanoseconds(number) * 5_000_000, arrival: arrival)
      margin.observe(lateness: arrival + 100_000 - time)
      if number % 3 == 2 { margin.settle(at: arrival) }
    }
    #expect(filter.delay == 10_000_000)
    #expect(margin.value == cycle)
  }
}
