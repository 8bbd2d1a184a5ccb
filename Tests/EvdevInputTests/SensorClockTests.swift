import Events
import Testing

@testable import EvdevInput

/// Who loses one of these has an attitude that jumps after 36 or 72 minutes, or after the pad's battery was changed.
@Suite struct SensorClockTests {
  private let millisecond: Nanoseconds = 1_000_000

  @Test func itRunsOnThroughTheSignBitAndTheWrap() {
    var clock = SensorClock()
    // 100 samples of 4 ms around 2³¹ µs and around 2³² µs.
    for start in [UInt32(1) << 31 &- 200_000, UInt32.max - 200_000] {
      clock = SensorClock()
      let first = clock.advance(Int32(bitPattern: start), hostTime: 0)
      #expect(first == Nanoseconds(start) * 1000)
      for count in 1...100 {
        let ticks = start &+ UInt32(count) * 4000
        let time = clock.advance(
          Int32(bitPattern: ticks), hostTime: Nanoseconds(count) * 4 * millisecond)
        #expect(time == first + Nanoseconds(count) * 4 * millisecond)
      }
    }
  }

  @Test func burstsKeepTheDevicesIntervals() {
    var clock = SensorClock()
    var times: [Nanoseconds] = []
    for count in 0..<9 {
      // Three samples at a time, 15 ms apart on the host.
      let host = Nanoseconds(count / 3) * 15 * millisecond
      times.append(clock.advance(Int32(count * 5000), hostTime: host))
    }
    #expect(times == (0..<9).map { Nanoseconds($0) * 5 * millisecond })
  }

  @Test func aDeviceThatStartsAgainGoesOnByTheHostsClock() {
    var clock = SensorClock()
    let before = clock.advance(54_000, hostTime: 0)
    // 54 000 to 3 000 reads as 71 min 35 s; it took 4 ms.
    #expect(clock.advance(3_000, hostTime: 4 * millisecond) == before + 4 * millisecond)
    #expect(clock.advance(7_000, hostTime: 8 * millisecond) == before + 8 * millisecond)
  }

  @Test func aPauseThatBothClocksSawIsAPause() {
    var clock = SensorClock()
    let before = clock.advance(1_000, hostTime: 0)
    #expect(
      clock.advance(10_001_000, hostTime: 10_000 * millisecond) == before + 10_000 * millisecond)
  }

  @Test func aSilenceLongerThanAWholeTurnIsTheHosts() {
    var clock = SensorClock()
    let before = clock.advance(1_000, hostTime: 0)
    let hours: Nanoseconds = 3 * 3600 * 1_000_000_000
    #expect(clock.advance(500, hostTime: hours) == before + hours)
  }

  @Test func itNeverGoesBack() {
    var clock = SensorClock()
    var random = SystemRandomNumberGenerator()
    var last = Nanoseconds.min
    var host: Nanoseconds = 0
    for _ in 0..<10_000 {
      host += Nanoseconds.random(in: 0..<20_000_000, using: &random)
      let time = clock.advance(Int32.random(in: .min ... .max, using: &random), hostTime: host)
      #expect(time >= last)
      last = time
    }
  }
}
