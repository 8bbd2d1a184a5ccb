import Events
import Testing

@testable import EvdevInput

/// Who loses one of these tilts one way and hears another, or has an attitude that turns at the wrong speed.
@Suite struct MotionDecoderTests {
  private func decoded(
    _ node: EvdevNode, _ axes: [UInt16: AxisInfo], _ frames: [[EvdevEvent]]
  ) throws -> [Seen] {
    let counters = SourceCounters()
    defer { counters.deallocate() }
    let made = MotionDecoder(node: node, axes: axes, device: 1, number: 2, counters: counters)
    guard var decoder = made else {
      Issue.record("no decoder")
      return []
    }
    let buffer = EventBuffer(capacity: 256)
    for frame in frames {
      for event in frame { decoder.decode(event) }
      decoder.endFrame(frame.first?.time ?? 0, into: buffer)
    }
    return buffer.take()
  }

  private func accelerometer(_ x: Double, _ y: Double, _ z: Double) -> [Seen] {
    [Seen("accelerometer.x", x), Seen("accelerometer.y", y), Seen("accelerometer.z", z)]
  }
  private func gyro(_ x: Double, _ y: Double, _ z: Double) -> [Seen] {
    [Seen("gyro.x", x), Seen("gyro.y", y), Seen("gyro.z", z)]
  }

  @Test func aDualSenseOnATableReadsMinusOneG() throws {
    // 8192 a g; Y is up, out of the pad's face, and tells the reaction. Then nose up by 90°: Z (to the player) is up.
    let seen = try decoded(
      TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes,
      [[axis(1, 8192)], [axis(1, 0), axis(2, 8192)]])
    #expect(seen == accelerometer(0, 0, -1) + accelerometer(0, 1, 0))
    // Lying on its left side: X (right) is up.
    let side = try decoded(
      TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes, [[axis(0, 4096)]])
    #expect(side == accelerometer(-0.5, 0, 0))
  }

  @Test func aDualSenseTurningIsInRadiansASecond() throws {
    // 1024 per °/s. About P's Y (up) is about Z of the device, P's Z is against Y.
    let quarter = Double.pi / 2
    let seen = try decoded(
      TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes,
      [[axis(4, 90 * 1024)], [axis(4, 0), axis(5, 90 * 1024)], [axis(5, 0), axis(3, 90 * 1024)]])
    let expected = [(0, 0, quarter), (0, -quarter, 0), (quarter, 0, 0)]
    #expect(seen.count == 9)
    for (index, vector) in expected.enumerated() {
      #expect(abs(seen[3 * index].value - vector.0) < 1e-12)
      #expect(abs(seen[3 * index + 1].value - vector.1) < 1e-12)
      #expect(abs(seen[3 * index + 2].value - vector.2) < 1e-12)
    }
  }

  @Test func aSwitchProIsTurnedFromItsOwnAxes() throws {
    // X to the triggers, Y left, Z up, 4096 a g.
    let seen = try decoded(
      TestNodes.switchProIMU, TestNodes.switchProIMUAxes,
      [[axis(2, 4096)], [axis(2, 0), axis(0, 4096)], [axis(0, 0), axis(1, 4096)]])
    #expect(seen == accelerometer(0, 0, -1) + accelerometer(0, -1, 0) + accelerometer(1, 0, 0))
  }

  @Test func aWiimotesNodesAreKnownByName() throws {
    // 100 units a g; X left, Y to the player, Z up, on RX, RY, RZ.
    let seen = try decoded(TestNodes.wiimoteAccelerometer, [:], [[axis(5, 100)], [axis(3, 100)]])
    #expect(seen == accelerometer(0, 0, -1) + accelerometer(1, 0, -1))
    // RX is yaw (about up), RY roll, RZ pitch; 8192·9/440 units per °/s: 20·440/9 °/s are 163840 units.
    let turned = try decoded(TestNodes.wiimoteMotionPlus, [:], [[axis(3, 163_840)]])
    #expect(turned.map(\.name) == ["gyro.x", "gyro.y", "gyro.z"])
    #expect(abs(turned[2].value - 20 * 440.0 / 9 * Double.pi / 180) < 1e-9)
  }

  @Test func aSensorWithoutAGyroscopeGivesNoZerosForIt() throws {
    // hid-sony.c, DualShock 3: 113 a g, three axes.
    let node = EvdevNode(
      name: "Sony PLAYSTATION(R)3 Controller Motion Sensors", vendor: 0x054c, product: 0x0268,
      properties: [6], axes: [0, 1, 2])
    var axes: [UInt16: AxisInfo] = [:]
    for code in UInt16(0)...2 {
      axes[code] = AxisInfo(minimum: -512, maximum: 511, resolution: 113)
    }
    #expect(try decoded(node, axes, [[axis(1, 113)]]) == accelerometer(0, 0, -1))
    #expect(node.controls == ["accelerometer"])
  }

  @Test func anAxisWithoutUnitsIsRefused() {
    let axes = TestNodes.motionAxes(perG: 0, perDegree: 0)
    let counters = SourceCounters()
    defer { counters.deallocate() }
    let decoder = MotionDecoder(
      node: TestNodes.dualSenseMotion, axes: axes, device: 0, number: 0, counters: counters)
    if case .some = consume decoder { Issue.record("a decoder without units") }
  }

  @Test func wholeVectorsComeWithEveryTickAndOnlyThen() throws {
    let seen = try decoded(
      TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes,
      [
        [axis(1, 8192), stamp(1000)],
        [stamp(5000)],
        [stamp(5000)],
        [],
      ])
    let still = accelerometer(0, 0, -1) + gyro(0, 0, 0)
    #expect(seen == still + still)
    #expect(seen.allSatisfy { $0.value != 0 || $0.value.sign == .plus })
  }

  @Test func sensorTimeIsTheDevicesOwn() throws {
    let counters = SourceCounters()
    defer { counters.deallocate() }
    let made = MotionDecoder(
      node: TestNodes.dualSenseMotion, axes: TestNodes.dualSenseMotionAxes, device: 0, number: 0,
      counters: counters)
    guard var decoder = made else {
      Issue.record("no decoder")
      return
    }
    let buffer = EventBuffer(capacity: 64)
    decoder.decode(axis(1, 8192, at: 7_000_000))
    decoder.decode(stamp(1_234_567, at: 7_000_000))
    decoder.endFrame(7_000_000, into: buffer)
    // After lost events: a value without a stamp keeps the last time.
    decoder.decode(axis(1, 8000, at: 9_000_000))
    decoder.endFrame(9_000_000, into: buffer)
    let events = Array(buffer.events)
    #expect(
      events.map(\.time) == [Int64](repeating: 7_000_000, count: 6) + [
        9_000_000, 9_000_000, 9_000_000,
      ])
    #expect(events.allSatisfy { $0.sensorTime == 1_234_567_000 })
  }

  /// Times of the gyroscope's samples, each with its sensor time.
  private func times(
    _ node: EvdevNode, _ axes: [UInt16: AxisInfo],
    _ frames: [(stamp: UInt32, arrival: Nanoseconds)]
  ) -> [(time: Nanoseconds, sensorTime: Nanoseconds)] {
    let counters = SourceCounters()
    defer { counters.deallocate() }
    let made = MotionDecoder(node: node, axes: axes, device: 0, number: 0, counters: counters)
    guard var decoder = made else { return [] }
    let buffer = EventBuffer(capacity: 16)
    var times: [(Nanoseconds, Nanoseconds)] = []
    for frame in frames {
      decoder.decode(stamp(frame.stamp, at: frame.arrival))
      decoder.endFrame(frame.arrival, into: buffer)
      for event in buffer.events where event.control == .gyroX {
        times.append((event.time, event.sensorTime))
      }
      buffer.removeAll()
    }
    return times
  }

  @Test func aSwitchProsThreeSamplesAReportAreEvenlySpaced() {
    // hid-nintendo.c: stamps that go on by 5, 5 and 20 ms where 5, 5 and 5 passed; all three at one time.
    var frames: [(UInt32, Nanoseconds)] = []
    var stamp: UInt32 = 0
    for report in 0..<1000 {
      for _ in 0..<3 {
        frames.append((stamp, 1_000_000_000 + Nanoseconds(report) * 15_000_000))
        stamp += 5000
      }
      stamp += 15_000
    }
    let seen = times(TestNodes.switchProIMU, TestNodes.switchProIMUAxes, frames)
    #expect(seen.count == 3000)
    let spaces = zip(seen.dropFirst(), seen).map { $0.time - $1.time }.suffix(2000)
    #expect(spaces.allSatisfy { abs($0 - 5_000_000) <= 2000 })
    // Made-up stamps are no clock: attitude integrates the even times.
    #expect(seen.allSatisfy { $0.sensorTime == .none })
  }

  @Test func aDualSensesClockWrapsAndItsTimesGoOn() {
    // Every 4 ms, late by up to 0.2 ms, and through 2³² µs after four seconds.
    let start = UInt32.max - 4_000_000
    var frames: [(UInt32, Nanoseconds)] = []
    for number in 0..<3000 {
      let late = Nanoseconds(number * 7919 % 200) * 1000
      frames.append((start &+ UInt32(number) * 4000, Nanoseconds(number) * 4_000_000 + late))
    }
    let seen = times(TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes, frames)
    let spaces = zip(seen.dropFirst(), seen).map { $0.time - $1.time }
    #expect(spaces.suffix(2500).allSatisfy { abs($0 - 4_000_000) <= 2000 })
    let passed = (seen.last?.sensorTime ?? 0) - (seen.first?.sensorTime ?? 0)
    #expect(passed == 2999 * 4_000_000)
  }

  @Test func aDualSenseThatIsResetGoesOnAfterAMoment() {
    var frames: [(UInt32, Nanoseconds)] = []
    for number in 0..<2000 {
      let first: UInt32 = number < 1000 ? 900_000 : 100
      frames.append((UInt32(number % 1000) * 4000 + first, Nanoseconds(number) * 4_000_000))
    }
    let seen = times(TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes, frames)
    let spaces = zip(seen.dropFirst(), seen).map { $0.time - $1.time }
    let uneven = spaces.enumerated().filter { abs($0.element - 4_000_000) > 2000 }
    #expect(uneven.isEmpty, "\(uneven)")
  }
}
