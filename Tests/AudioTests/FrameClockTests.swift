import Audio
import Events
import Testing

/// If one of these fails, a render differs from run to run, or a long one crashes.
@Suite struct FrameClockTests {
  @Test(arguments: [
    (48000, 0, 0), (48000, 20_833, 0), (48000, 20_834, 1), (48000, 999_999_999, 47999),
    (48000, 1_000_000_000, 48000), (44100, 1_000_000_000, 44100), (44100, 22_675, 0),
    (44100, 22_676, 1), (48000, -1, -1), (48000, -20_834, -2),
  ])
  func frameIsRoundedDown(rate: Int, time: Int, frame: Int) {
    #expect(FrameClock(rate: rate).frame(at: Nanoseconds(time)) == Int64(frame))
  }

  /// 1/48000 s = 20 833.3 ns, so frame 1 begins with nanosecond 20 834; 1/44100 s = 22 675.7 ns.
  @Test(arguments: [
    (48000, 1, 20_834), (48000, 3, 62_500), (44100, 1, 22_676), (48000, 48000, 1_000_000_000),
    (48000, 0, 0), (48000, -1, -20_833),
  ])
  func timeIsTheFirstNanosecondOfTheFrame(rate: Int, frame: Int, time: Int) {
    #expect(FrameClock(rate: rate).time(of: Int64(frame)) == Nanoseconds(time))
  }

  /// A year at 192 kHz: the product of nanoseconds and rate has 73 bits.
  @Test(arguments: [44100, 48000, 96000, 192_000])
  func longTimesDoNotOverflow(rate: Int) {
    let clock = FrameClock(rate: rate)
    let year: Nanoseconds = 365 * 86400 * .perSecond
    #expect(clock.frame(at: year) == 365 * 86400 * Int64(rate))
    #expect(clock.frame(at: year - 1) == 365 * 86400 * Int64(rate) - 1)
    #expect(clock.time(of: 365 * 86400 * Int64(rate)) == year)
    let century = 100 * year
    #expect(
      clock.frame(at: century + .perSecond / 2) == (100 * 365 * 86400 * 2 + 1) * Int64(rate) / 2)
  }

  @Test(arguments: [44100, 48000, 88200])
  func everyFrameBeginsWhereTheOneBeforeEnds(rate: Int) {
    let clock = FrameClock(rate: rate)
    for frame in stride(from: Int64(0), to: 200_000, by: 37) {
      let time = clock.time(of: frame)
      #expect(clock.frame(at: time) == frame)
      #expect(clock.frame(at: time - 1) == frame - 1)
    }
  }
}
