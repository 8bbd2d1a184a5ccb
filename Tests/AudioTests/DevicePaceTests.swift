import Events
import Testing

@testable import Audio

/// If one of these fails, a device that keeps no time makes the music run away, or a real one is held back.
@Suite struct DevicePaceTests {
  @Test func aRealClockIsLeftAlone() {
    // 1000 ppm fast, for an hour.
    var pace = DevicePace()
    for second in 0..<3600 {
      let frame = Int64(Double(second) * 48000 * 1.001)
      let now = 1_000 + Nanoseconds(second) * .perSecond
      #expect(pace.lead(of: frame, rate: 48000, at: now) == 0)
    }
  }

  @Test func aDeviceThatSwallowsEverythingIsHeldToTheClock() {
    var pace = DevicePace()
    #expect(pace.lead(of: 0, rate: 48000, at: 1) == 0)
    // A second of sound after 10 ms.
    #expect(pace.lead(of: 48000, rate: 48000, at: 10_000_001) == 990_000_000)
    #expect(pace.lead(of: 48000, rate: 48000, at: 1_000_000_001) == 0)
    // From then on to the frame.
    #expect(pace.lead(of: 48480, rate: 48000, at: 1_000_000_001) == 10_000_000)
  }
}
