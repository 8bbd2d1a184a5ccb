import Testing

@testable import sonde

/// If these fail, `--for` ends at another time than the one that was typed.
@Suite struct DurationTests {
  @Test func timesHaveTheirUnits() {
    #expect(nanoseconds(of: "20s") == 20_000_000_000)
    #expect(nanoseconds(of: "500ms") == 500_000_000)
    #expect(nanoseconds(of: "1.5s") == 1_500_000_000)
    #expect(nanoseconds(of: ".5s") == 500_000_000)
    #expect(nanoseconds(of: "604800s") == 604_800_000_000_000)
  }

  @Test(arguments: [
    "", "s", "ms", "1", "0s", "-1s", "+1s", " 1s", "1 s", "1m", "1h", "infs", "nans", "0x10s",
    "1e3s",
    "1e300s", "0.0000000001s", "604801s", "1..5s", "1,5s",
  ]) func otherTextIsNoTime(_ text: String) {
    #expect(nanoseconds(of: text) == nil)
  }
}
