import Audio
import Events
import Testing

/// If one of these fails, late input is heard early or late by turns, or the delay jumps audibly.
@Suite struct TimingMarginTests {
  private let cycle: Nanoseconds = 666_667

  @Test func startsWithHalfAMillisecondInWholeCycles() {
    let margin = TimingMargin(cycle: cycle, start: 0)
    defer { margin.deallocate() }
    #expect(margin.value == cycle)
    let fine = TimingMargin(cycle: 208_334, start: 0)
    defer { fine.deallocate() }
    #expect(fine.value == 3 * 208_334)
  }

  @Test func settlesAtOnceInTheFirstTwoSeconds() {
    var margin = TimingMargin(cycle: cycle, start: 0)
    defer { margin.deallocate() }
    margin.observe(lateness: 3_000_000, at: 1_000_000_000)
    // 3 ms are 4.5 k-cycles, rounded up.
    #expect(margin.value == 5 * cycle)
  }

  @Test func growsByOneCycleIn100MillisecondsLater() {
    var margin = TimingMargin(cycle: cycle, start: 0)
    defer { margin.deallocate() }
    for step in 0..<50 {
      margin.observe(lateness: 3_000_000, at: 2_500_000_000 + Nanoseconds(step) * 10_000_000)
    }
    // 490 ms: at once, and after 100, 200, 300 and 400 ms it would be 6, but 5 are enough.
    #expect(margin.value == 5 * cycle)
    var slow = TimingMargin(cycle: cycle, start: 0)
    defer { slow.deallocate() }
    for step in 0..<20 {
      slow.observe(lateness: 3_000_000, at: 2_500_000_000 + Nanoseconds(step) * 10_000_000)
    }
    #expect(slow.value == 3 * cycle)
  }

  @Test func oneStragglerInThousandsChangesNothing() {
    var margin = TimingMargin(cycle: cycle, start: 0)
    defer { margin.deallocate() }
    for step in 0..<5000 { margin.observe(lateness: -100_000, at: Nanoseconds(step) * 100_000) }
    margin.observe(lateness: 10_000_000, at: 600_000_000)
    #expect(margin.value == cycle)
  }

  @Test func neverExceeds20Milliseconds() {
    var margin = TimingMargin(cycle: cycle, start: 0)
    defer { margin.deallocate() }
    for step in 0..<1000 {
      margin.observe(lateness: 500_000_000, at: Nanoseconds(step) * 1_000_000)
    }
    #expect(margin.value <= 20_000_000 + cycle)
  }
}
