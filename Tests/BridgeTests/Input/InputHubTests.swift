import DeviceWatch
import Events
import LinuxIO
import Mapping
import Testing

@testable import Bridge

/// If these fail, a pad that cannot be read is told about wrongly, or not at all.
@Suite struct InputHubTests {
  private final class World {
    var changes: [DeviceChange] = []
    var refusal = ErrorNumber.noPermission
    var tries: [String] = []
    var reports: [InputReport] = []

    func hub() throws -> InputHub {
      try InputHub(
        Program(MappingDescription()), output: SPSCRing<EngineCommand>(capacity: 64),
        isRecordingRaw: false,
        nodes: NodeSource(
          descriptor: nil,
          changes: { [self] in
            defer { changes = [] }
            return changes
          },
          open: { [self] path throws(SystemError) in
            tries.append(path)
            throw SystemError(refusal, call: "open", path: path)
          }), report: { [self] in reports.append($0) })
    }
  }

  private func time(_ milliseconds: Int) -> Nanoseconds { Nanoseconds(milliseconds) * 1_000_000 }

  @Test func aRefusedNodeIsTriedAgainAndToldOnce() throws {
    let world = World()
    let hub = try world.hub()
    world.changes = [DeviceChange(.added, TestNodes.pad(5))]
    for step in 0..<200 { hub.service(at: time(step * 50)) }
    #expect(world.tries.count >= 8 && world.tries.count <= 12)
    #expect(world.reports.count == 1)
    guard case .unreadable(let path, let sentence)? = world.reports.first else {
      Issue.record("\(world.reports)")
      return
    }
    #expect(path == "/dev/input/event5")
    #expect(sentence.contains("permission") && sentence.contains("usermod"))
    hub.stop(at: time(20_000))
  }

  @Test func aChangeOfTheNodeTriesAtOnce() throws {
    let world = World()
    let hub = try world.hub()
    world.changes = [DeviceChange(.added, TestNodes.pad(5))]
    for step in 0..<100 { hub.service(at: time(step * 50)) }
    let count = world.tries.count
    world.changes = [DeviceChange(.changed, TestNodes.pad(5))]
    hub.service(at: time(5001))
    #expect(world.tries.count == count + 1)
  }

  @Test func whatLeftIsNotTriedAgain() throws {
    let world = World()
    let hub = try world.hub()
    world.changes = [DeviceChange(.added, TestNodes.pad(5))]
    hub.service(at: 0)
    world.changes = [DeviceChange(.removed, TestNodes.pad(5))]
    hub.service(at: time(10))
    let count = world.tries.count
    for step in 1..<100 { hub.service(at: time(step * 100)) }
    #expect(world.tries.count == count && world.reports.isEmpty)
  }

  /// A pad's own sensors come before other ones also where the kernel numbers them after those.
  @Test func nodesOfPadsAreOpenedFirst() throws {
    let world = World()
    let hub = try world.hub()
    var sensor = TestNodes.motion(3, of: "sensor")
    sensor.attributes["id/vendor"] = "1234"
    sensor.attributes["id/product"] = "5678"
    world.changes = [
      sensor, TestNodes.keyboard(0), TestNodes.motion(6), TestNodes.touchpad(7), TestNodes.pad(5),
    ].map { DeviceChange(.added, $0) }
    hub.service(at: 0)
    #expect(
      world.tries == [5, 6, 7, 3].map { "/dev/input/event\($0)" })
  }

  /// The thread was never started, or ended: what it was handed must not leak.
  @Test func whatWasNotTakenIsReleased() throws {
    let world = World()
    let hub = try world.hub()
    weak var program: Program?
    do {
      let next = Program(MappingDescription())
      program = next
      hub.send(.install(next))
    }
    #expect(program != nil)
    hub.stop(at: 0)
    #expect(program == nil)
  }
}
