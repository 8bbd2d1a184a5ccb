import Events
import Mapping
import Testing

/// If these fail, a stalled engine wakes up with hanging notes or old values.
struct CommandOutputTests {
  private func notes(_ count: Int) -> [RouteDescription] {
    let controls = Control.gamepad.filter { $0.id.rawValue >= ControlID.south.rawValue }
    return (0..<count).map { index in
      line(controls[index].name, to: [.note(instrument: "\(index)")])
    }
  }

  @Test func newestValueArrivesWhenThereIsRoomAgain() {
    let player = Player(
      MappingDescription((0..<100).map { line("left.x", to: [.channel("c\($0)")]) }),
      capacity: 64)
    player.plug()
    player.frame([(.leftX, 0.25)])
    player.frame([(.leftX, 0.5)])
    var values: [String: String] = [:]
    while player.ring.count > 0 {
      for word in player.taken() {
        let parts = word.split(separator: " ").map(String.init)
        values[parts[0]] = parts[1]
      }
      player.runtime.sendWaiting()
    }
    #expect(values.count == 100)
    #expect(values["c99"] == "0.5")
    #expect(values["c0"] == "0.5")
    #expect(player.runtime.counters.replacedValues == 52)
    #expect(player.ring.dropCount == 0)
  }

  @Test func everyNoteThatStartedEnds() {
    let flood = (0..<100).map { line("left.x", to: [.channel("c\($0)")]) }
    let player = Player(MappingDescription(notes(20) + flood), capacity: 64)
    player.plug()
    let buttons = (0..<20).map { ControlID.south.offset(by: $0) }
    // A full ring from the first frame on, then every button pressed and released.
    player.frame(buttons.prefix(10).map { ($0, 1) })
    player.frame([(.leftX, 0.5)])
    player.frame(buttons.suffix(10).map { ($0, 1) })
    player.frame(buttons.map { ($0, 0) })
    let words = player.taken()
    let on = words.filter { $0.contains(" on ") }.count
    #expect(on == 10)
    #expect(words.filter { $0.contains(" off ") }.count == on)
    #expect(player.runtime.counters.droppedNotes == 10)
    #expect(player.ring.dropCount == 0)
  }

  @Test func switchAndPanicFindRoomInAFullRing() {
    let mapping = MappingDescription(
      (0..<100).map { line("left.x", to: [.channel("c\($0)")]) })
    let player = Player(mapping, capacity: 64)
    player.plug()
    player.frame([(.leftX, 0.5)])
    #expect(player.runtime.canInstall)
    player.reload(mapping)
    player.runtime.releaseAll(time: 0)
    #expect(player.taken().suffix(2) == ["switch 2", "panic"])
    // What waited before the switch still arrives after it.
    var names: Set<String> = []
    player.runtime.sendWaiting()
    while player.ring.count > 0 {
      names.formUnion(player.taken())
      player.runtime.sendWaiting()
    }
    #expect(names.contains("c99 0.5"))
    #expect(names.count == 52)
  }

  @Test func stalledEngineRefusesEndlessSwitches() {
    let mapping = MappingDescription([line("left.x", to: [.channel("c")])])
    let player = Player(mapping, capacity: 64)
    var count = 0
    while player.runtime.canInstall && count < 1000 {
      player.reload(mapping)
      count += 1
    }
    #expect(count == 64)
    #expect(player.ring.dropCount == 0)
  }
}
