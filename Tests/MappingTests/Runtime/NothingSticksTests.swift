import Events
import Mapping
import Testing
import Widgets

/// If these fail, some order of presses, cables, edits and stalls leaves a note or a button hanging.
struct NothingSticksTests {
  /// What an engine would have after the commands so far; complains where they make no sense.
  private struct Listener {
    var programs: [Int: Program] = [:]
    var current = 1
    var held: [Int: (key: Double, target: String)] = [:]
    var channels: [String: Double] = [:]

    mutating func take(_ command: EngineCommand) {
      let slot = Int(command.slot)
      switch command.kind {
      case .value:
        guard case .channel(let name, _)? = programs[current]?.patch.slots[slot] else {
          Issue.record("A value for slot \(slot), which is no channel")
          return
        }
        channels[name] = command.value
      case .noteOn:
        guard case .note? = programs[current]?.patch.slots[slot] else {
          Issue.record("A note for slot \(slot), which is none")
          return
        }
        #expect(held[slot] == nil)
        held[slot] = (command.key, name(slot))
      case .noteOff:
        #expect(held[slot]?.key == command.key)
        held[slot] = nil
      case .switch:
        current = slot
        for (slot, note) in held { #expect(name(slot) == note.target) }
      case .panic: held.removeAll()
      }
    }

    private func name(_ slot: Int) -> String { programs[current]?.slotNames[slot].target ?? "" }
  }

  private let controls = ["south", "east", "north", "left.x", "left.trigger"]
  private let devices = [
    DeviceDeclaration(name: "pad", role: .declared(.gamepad)),
    DeviceDeclaration(name: "gamepad", role: .first(.gamepad)),
  ]

  private func mapping(_ generator: inout SeededGenerator) -> MappingDescription {
    var routes: [RouteDescription] = []
    for device in 0..<2 {
      for control in controls {
        for kind in 0..<3 where Bool.random(using: &generator) {
          let target: TargetDescription =
            switch kind {
            case 0:
              .note(
                instrument: "\(device) \(control)", key: .random(in: 30...90, using: &generator))
            case 1: .channel("\(device) \(control)")
            default: .widget(device)
            }
          routes.append(
            line(control, to: [target], device: device, name: "\(device) \(control) \(kind)"))
        }
      }
    }
    return MappingDescription(
      routes,
      widgets: [
        WidgetDescription(name: "a", kind: .button), WidgetDescription(name: "b", kind: .button),
      ], devices: devices)
  }

  @Test(arguments: 1...60)
  func whateverHappens(_ seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let player = Player(mapping(&generator), capacity: 64)
    var listener = Listener(programs: [1: player.program])
    for _ in 0..<400 {
      let device = DeviceIndex.random(in: 0...1, using: &generator)
      let number = Int.random(in: 0...1, using: &generator)
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: player.send(.unplugged, device: device)
      case 1: player.send(.plugged, device: device)
      case 2, 3:
        player.runtime.bind(
          device, to: number, opensGates: Bool.random(using: &generator), time: 0)
      case 4: player.runtime.unbind(device, from: number, time: 0)
      case 5:
        if player.runtime.canInstall {
          player.reload(mapping(&generator))
          listener.programs[player.program.generation] = player.program
        }
      case 6: player.runtime.releaseAll(time: 0)
      case 7: player.send(.lost, device: device)
      // The engine stands still most of the time.
      case 8, 9: while let command = player.ring.pop() { listener.take(command) }
      default:
        let count = Int.random(in: 1...6, using: &generator)
        player.frame(
          (0..<count).compactMap { _ in
            guard
              let control = controls.randomElement(using: &generator).flatMap(Control.named)
            else { return nil }
            return (control.id, Bool.random(using: &generator) ? 0 : 0.5)
          }, device: device)
      }
    }
    for device in 0...1 { player.send(.unplugged, device: DeviceIndex(device)) }
    while player.ring.count > 0 {
      while let command = player.ring.pop() { listener.take(command) }
      player.runtime.sendWaiting()
    }
    #expect(listener.held.isEmpty)
    #expect(player.ring.dropCount == 0)
    for widget in 0...1 { #expect(player.program.widgets.value(widget) == 0) }
    for (channel, value) in listener.channels {
      let isButton = controls.prefix(3).contains { channel.hasSuffix($0) }
      let isFed = player.program.slotNames.contains { $0.target == channel }
      if isButton && isFed || channel.count == 1 { #expect(value == 0, "\(channel)") }
    }
  }
}
