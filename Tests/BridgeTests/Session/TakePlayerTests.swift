import Events
import Mapping
import Testing

@testable import Bridge

/// If these fail, a take played aloud stumbles where a rendering of it does not.
@Suite struct TakePlayerTests {
  private let second = Nanoseconds.perSecond

  /// A player whose INPUT thread does not run: the test takes what is scheduled.
  private func player(
    _ text: String, _ mapping: String = "gamepad.left.x -> a"
  ) throws -> (TakePlayer, InputHub) {
    let program = try program(mapping)
    let hub = try InputHub(
      program, output: SPSCRing<EngineCommand>(capacity: 64), isLive: false, report: { _ in })
    return (TakePlayer(take(text), hub: hub, program: program), hub)
  }

  private func scheduled(_ hub: InputHub) -> [InputRequest] {
    var requests: [InputRequest] = []
    while let request = hub.thread.schedule.pop() { requests.append(request) }
    return requests
  }

  private let two = """
    device one gamepad name="One" uniq=1 controls="left"
    device two gamepad name="Two" uniq=2 controls="left"
    1 one left.x 0.25
    1 two left.x 0.5
    10 one left.x 1

    """

  @Test func whatIsDueTogetherIsScheduledTogether() throws {
    let (player, hub) = try player(two)
    player.advance(at: 0) { _ in }
    player.advance(at: second / 2) { _ in }
    let lines = scheduled(hub).map(\.description)
    #expect(lines.contains("0 left.x 0.25"))
    // A long pause follows; both pads are heard before it.
    #expect(lines.contains("1 left.x 0.5"))
    #expect(!lines.contains("0 left.x 1"))
    #expect(player.endTime == nil)
    player.advance(at: 9 * second) { _ in }
    player.advance(at: 10 * second) { _ in }
    #expect(scheduled(hub).map(\.description).contains("0 left.x 1"))
    #expect(player.endTime == 10 * second)
  }

  @Test func everythingIsScheduledBeforeItsTimeAndInOrder() throws {
    var text = "device one gamepad name=\"One\" controls=\"left\"\n"
    for step in 1...200 {
      text += "\(Double(step) / 20) one left.x \(Double(step % 16 - 8) / 8)\n"
    }
    let (player, hub) = try player(text)
    var time: Nanoseconds = 0
    var last: Nanoseconds = 0
    var count = 0
    while player.endTime == nil {
      player.advance(at: time) { _ in }
      for request in scheduled(hub) {
        #expect(request.time >= last && request.time >= time - second / 20)
        last = request.time
        if case .event = request.kind, request.event.kind == .value { count += 1 }
      }
      time += second / 20
      try #require(time < 20 * second)
    }
    #expect(count == 200)
  }

  @Test func aFullScheduleLosesNothing() throws {
    var text = "device one gamepad name=\"One\" controls=\"left\"\n"
    let total = 70_000
    for step in 1...total { text += "0.\(100_000 + step) one left.x \(step % 2)\n" }
    let (player, hub) = try player(text)
    player.advance(at: 0) { _ in }
    #expect(hub.thread.schedule.room() == 0)
    var values = 0
    while player.endTime == nil || hub.thread.schedule.count > 0 {
      for request in scheduled(hub) where request.event.kind == .value { values += 1 }
      player.advance(at: 0) { _ in }
    }
    #expect(values == total)
  }

  /// A take that ends with a button down must not leave its note sounding beside live devices.
  @Test func atItsEndItsDevicesLeave() throws {
    let (player, hub) = try player(
      "device one gamepad name=\"One\" controls=\"south\"\n0.1 one south 1\n",
      "gamepad.south -> note Bell")
    player.advance(at: 0) { _ in }
    player.advance(at: 0) { _ in }
    let lines = scheduled(hub).map(\.description)
    #expect(lines.contains("0 south 1"))
    #expect(lines.suffix(2) == ["0 unplugged", "unbind 0 as 0"])
    #expect(hub.roster.present.isEmpty)
  }

  @Test func aMistakeIsKept() throws {
    let (player, _) = try player("device one gamepad\n0.1 one nonsense 1\n")
    var time: Nanoseconds = 0
    while player.endTime == nil && time < 2 * second {
      player.advance(at: time) { _ in }
      time += second / 10
    }
    #expect(player.failure?.line == 3)
  }
}
