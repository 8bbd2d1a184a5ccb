import Events
import Mapping
import Testing

@testable import Bridge

/// If these fail, a mapping's lines follow the wrong device.
@Suite struct DeviceRosterTests {
  private let pad = DeviceDescription(
    kind: .gamepad, name: "Pad", uniq: "p", controls: ["left", "accelerometer", "gyro"])
  private let imu = DeviceDescription(
    kind: .imu, name: "Sensor", uniq: "i", controls: ["accelerometer", "gyro"])

  private var roster: DeviceRoster {
    DeviceRoster([
      DeviceDeclaration(name: "lead", role: .declared(.gamepad)),
      DeviceDeclaration(name: "motion", role: .motion),
    ])
  }

  @Test func ofSeveralAtOncePadsComeBeforeSensors() {
    let roster = roster
    #expect(roster.waiting == ["lead", "motion"])
    let requests = roster.set([0: imu, 1: pad], at: 7).map(\.description)
    #expect(Set(requests) == ["bind 1 as 0", "bind 1 as 1"])
    #expect(roster.names(of: 1) == ["lead", "motion"])
    #expect(roster.names(of: 0).isEmpty)
    #expect(roster.waiting.isEmpty)
  }

  @Test func theNextTakesOverAndKeepsIt() {
    let roster = roster
    _ = roster.set([0: imu, 1: pad], at: 7)
    let left = roster.remove(1, at: 8).map(\.description)
    #expect(Set(left) == ["unbind 1 as 0", "unbind 1 as 1", "bind 0 as 1"])
    #expect(roster.waiting == ["lead"])
    #expect(roster.set(1, pad, at: 9).map(\.description) == ["bind 1 as 0"])
    #expect(roster.names(of: 0) == ["motion"])
  }

  @Test func whatLeftIsStillKnown() {
    let roster = roster
    _ = roster.set(3, pad, at: 7)
    _ = roster.remove(3, at: 8)
    #expect(roster.present.isEmpty)
    #expect(roster.descriptions[3] == pad)
  }
}
