import Audio
import Testing

@Suite struct TimeMapTests {
  /// If this fails, steady timing is off by the distance between an event and the device's last report.
  @Test func goesStraightInBothDirections() {
    let map = TimeMap(frame: 1000, time: 5_000_000_000, nanosecondsPerFrame: 1e9 / 48000)
    #expect(map.time(of: 1000) == 5_000_000_000)
    #expect(map.time(of: 1048) == 5_001_000_000)
    #expect(map.time(of: 952) == 4_999_000_000)
    #expect(map.time(of: 1001) == 5_000_020_833)
    #expect(map.time(of: 999) == 4_999_979_167)
  }
}
