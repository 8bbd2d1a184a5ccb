import Audio
import Events
import Testing

@testable import CsoundEngine

/// If one of these fails, the user is not told that the latency changed, or is told again and again.
@Suite struct LatencyNoticeTests {
  /// What is said while the latency is looked at 20 times a second.
  private func sentences(
    seconds: Int, _ parts: (_ time: Nanoseconds) -> LatencyParts
  ) -> [String] {
    var notice = LatencyNotice()
    return (0..<(seconds * 20)).compactMap {
      let time = Nanoseconds($0) * 50_000_000
      return notice.sentence(parts(time), at: time)
    }
  }

  private func parts(buffer: Nanoseconds = 10_700_000, margin: Nanoseconds = 700_000)
    -> LatencyParts
  {
    var parts = LatencyParts()
    parts.buffer = buffer
    parts.margin = margin
    return parts
  }

  @Test func aConstantLatencyIsNotTalkedOf() {
    #expect(sentences(seconds: 60) { _ in parts() } == [])
  }

  @Test func aMarginThatGrowsInStepsIsToldOnceWhenItHasSettled() {
    let said = sentences(seconds: 20) { time in
      let steps = min(max((time - 5 * .perSecond) / 100_000_000, 0), 6)
      return parts(margin: 700_000 + steps * 700_000)
    }
    #expect(
      said == [
        "The latency is now 15.6 ms, it was 11.4 ms: input arrives late (buffer 10.7 ms, margin 4.9 ms)."
      ])
  }

  @Test func oneCycleMoreIsNotWorthASentence() {
    let said = sentences(seconds: 20) { parts(margin: $0 < 9 * .perSecond ? 700_000 : 1_400_000) }
    #expect(said == [])
  }

  @Test func anotherBufferIsTheReason() {
    let said = sentences(seconds: 20) {
      parts(buffer: $0 < 9 * .perSecond ? 10_700_000 : 42_700_000)
    }
    #expect(
      said == [
        "The latency is now 43.4 ms, it was 11.4 ms: the audio device has another buffer (buffer 42.7 ms, margin 0.7 ms)."
      ])
  }
}
