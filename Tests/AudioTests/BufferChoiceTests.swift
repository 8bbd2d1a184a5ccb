import Audio
import Events
import Testing

/// If one of these fails, Sonde answers slower than it was asked to, or crackles for nothing.
@Suite struct BufferChoiceTests {
  @Test func theUsualBufferIsTwoPeriodsOfFiveMilliseconds() {
    #expect(BufferChoice.usual(rate: 48_000, ksmps: 32) == BufferChoice(period: 256, periods: 2))
    #expect(BufferChoice.usual(rate: 44_100, ksmps: 1) == BufferChoice(period: 256, periods: 2))
    #expect(BufferChoice.usual(rate: 96_000, ksmps: 64) == BufferChoice(period: 512, periods: 2))
    #expect(BufferChoice.usual(rate: 192_000, ksmps: 64) == BufferChoice(period: 1024, periods: 2))
  }

  /// A period that k-cycles do not divide costs a whole k-cycle of latency.
  @Test func theUsualPeriodIsAWholeNumberOfCycles() {
    #expect(BufferChoice.usual(rate: 48_000, ksmps: 100).period == 300)
    #expect(BufferChoice.usual(rate: 44_100, ksmps: 10).period == 260)
    #expect(BufferChoice.usual(rate: 44_100, ksmps: 441).period == 441)
    #expect(BufferChoice.usual(rate: 48_000, ksmps: 1024).period == 1024)
    #expect(BufferChoice.usual(rate: 48_000, ksmps: 100_000).period == 8192)
  }

  private func parts(_ choice: BufferChoice, _ rate: Int, _ ksmps: Int) -> LatencyParts {
    let format = AudioFormat(
      rate: rate, channels: 2, deviceChannels: 2, period: choice.period, periods: choice.periods)
    return LatencyParts(format: format, ksmps: ksmps)
  }

  @Test func theLongestBufferWithinTheLatencyComesFirst() {
    // 5 ms are 240 frames; 32 of them are the margin (half a millisecond in whole k-cycles): 2×96 fit, 2×128 do not.
    #expect(
      BufferChoice.within(5_000_000, rate: 48_000, ksmps: 32, timing: .steady).first
        == BufferChoice(period: 96, periods: 2))
    // Without a margin 2×120 would, of the sizes that hardware likes 2×96.
    #expect(
      BufferChoice.within(5_000_000, rate: 48_000, ksmps: 32, timing: .asap).first
        == BufferChoice(period: 96, periods: 2))
    #expect(
      BufferChoice.within(20_000_000, rate: 48_000, ksmps: 64, timing: .steady).first
        == BufferChoice(period: 448, periods: 2))
  }

  /// 2×24 and a k-cycle ahead would take longer than 2×32, and be less safe.
  @Test func aShortPeriodIsNoGainWhereCyclesDoNotDivideIt() {
    #expect(
      BufferChoice.within(3_000_000, rate: 48_000, ksmps: 32, timing: .steady).first
        == BufferChoice(period: 32, periods: 2))
  }

  @Test(arguments: [2, 3, 5, 8, 12, 20, 50, 100], [1, 10, 32, 64, 100, 441])
  func whatIsAskedForFirstKeepsTheLatencyWhereThatIsPossible(milliseconds: Int, ksmps: Int) {
    for rate in [44_100, 48_000, 96_000] {
      let limit = Nanoseconds(milliseconds) * 1_000_000
      let choices = BufferChoice.within(limit, rate: rate, ksmps: ksmps, timing: .steady)
      let shortest = BufferChoice(period: 16, periods: 2)
      let canBeKept =
        parts(shortest, rate, ksmps).isWithin(limit)
        || parts(BufferChoice(period: ksmps, periods: 2), rate, ksmps).isWithin(limit)
          && ksmps >= 16
      if canBeKept { #expect(parts(choices[0], rate, ksmps).isWithin(limit)) }
      // Each is an attempt to open the device.
      #expect(choices.count <= 24)
      #expect(zip(choices, choices.dropFirst()).allSatisfy { $0.period > $1.period })
    }
  }

  @Test func anImpossibleLatencyAsksForTheShortestBuffer() {
    #expect(
      BufferChoice.within(1, rate: 48_000, ksmps: 32, timing: .steady)
        == [BufferChoice(period: 16, periods: 2)])
  }

  @Test func anEndlessLatencyIsBounded() {
    let choice = BufferChoice.within(
      600 * .perSecond, rate: 48_000, ksmps: 32, timing: .steady)[0]
    #expect(choice.period * choice.periods <= 32_768)
  }
}
