import Events
import Testing

@testable import Audio

/// If this fails, one interruption brings on the next, or lasts longer than it must.
@Suite struct RestartSilenceTests {
  @Test func aShortGapIsTriedUnlessItWasTooShort() {
    var silence = RestartSilence()
    func periods(_ count: Int, atMilliseconds time: Int64) -> Int {
      silence.silentPeriods(of: count, at: time * 1_000_000)
    }
    #expect(periods(4, atMilliseconds: 1000) == 4)
    // Within a second of the start: computing is not fast enough yet.
    #expect(periods(4, atMilliseconds: 1500) == 4)
    #expect(periods(4, atMilliseconds: 10_000) == 2)
    #expect(periods(4, atMilliseconds: 10_100) == 4)
    #expect(periods(3, atMilliseconds: 20_000) == 1)
    #expect(periods(2, atMilliseconds: 30_000) == 1)
  }
}
