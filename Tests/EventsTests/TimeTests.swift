import Events
import Testing

/// If one of these fails, a sentence shows another time than the one that it is about.
@Suite struct TimeTests {
  @Test(
    arguments: [
      (11_349_999, "11.3 ms"), (0, "0.0 ms"), (-150_000, "-0.2 ms"), (50_000, "0.1 ms"),
    ] as [(Nanoseconds, String)])
  func millisecondsAreRounded(time: Nanoseconds, text: String) {
    #expect(time.milliseconds == text)
  }

  @Test(
    arguments: [
      (20_000_000, "20 ms"), (2_500_000, "2.5 ms"), (1_000, "0.001 ms"), (1, "0.000001 ms"),
      (0, "0 ms"), (-1_250_000, "-1.25 ms"), (100_000_000, "100 ms"),
    ] as [(Nanoseconds, String)])
  func exactMillisecondsAreNot(time: Nanoseconds, text: String) {
    #expect(time.exactMilliseconds == text)
  }
}
