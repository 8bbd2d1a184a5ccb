import Events
import Mapping
import Testing
import Widgets

/// If these fail, saving the mapping while playing interrupts or hangs what sounds.
struct ProgramSwitchTests {
  private let note = line("south", to: [.note(instrument: "1", key: 60)], name: "n")

  @Test func heldNoteSurvivesAndEndsWithItsOldKey() {
    let player = Player(MappingDescription([note]))
    player.plug()
    player.frame([(.south, 1)])
    _ = player.taken()
    player.reload(
      MappingDescription([
        line("left.x", to: [.channel("x")]),
        line("south", to: [.note(instrument: "1", key: 72)], name: "n"),
      ]))
    #expect(player.taken() == ["switch 2"])
    player.frame([(.south, 0)])
    player.frame([(.south, 1)])
    #expect(player.taken() == ["note 1 off 60", "note 1 on 72 127"])
  }

  @Test func removedLineReleasesBeforeTheSwitch() {
    let pressed = line("south", to: [.channel("pressed")])
    let player = Player(MappingDescription([note, pressed]))
    player.plug()
    player.frame([(.south, 1)])
    let old = player.program
    _ = player.taken()
    player.reload(MappingDescription([line("left.x", to: [.channel("x")])]))
    var kinds: [EngineCommand.Kind] = []
    var targets: [String] = []
    while let command = player.ring.pop() {
      kinds.append(command.kind)
      if command.kind != .switch { targets.append(old.slotNames[Int(command.slot)].target) }
    }
    #expect(kinds == [.value, .noteOff, .switch])
    #expect(targets == ["pressed", "note 1"])
  }

  @Test func newLineSendsItsValueWithoutTheGate() {
    let player = Player(MappingDescription([note]))
    player.plug()
    player.frame([(.south, 1), (.leftX, 0.5)])
    _ = player.taken()
    player.reload(
      MappingDescription([
        note, line("south", to: [.note(instrument: "2")]),
        line("left.x", to: [.channel("x")]), line("right.x", to: [.channel("y")]),
      ]))
    #expect(player.taken() == ["switch 2", "x 0.5"])
    player.frame([(.south, 0)])
    #expect(player.taken() == ["note 1 off 60"])
    player.frame([(.south, 1)])
    #expect(player.taken() == ["note 1 on 60 127", "note 2 on 60 127"])
  }

  @Test func widgetsKeepTheirValuesAndNewOnesSendTheirDefault() {
    let old = WidgetDescription(name: "a", kind: .slider)
    let player = Player(
      MappingDescription([line("left.trigger", to: [.widget(0)], name: "w")], widgets: [old]))
    player.plug()
    player.frame([(.leftTrigger, 0.75)])
    _ = player.taken()
    player.reload(
      MappingDescription(
        [line("left.trigger", to: [.widget(1)], name: "w")],
        widgets: [
          WidgetDescription(name: "b", kind: .slider, defaultValue: 0.25),
          WidgetDescription(name: "a", kind: .slider, range: ValueRange(0, 0.5)),
        ]))
    #expect(player.taken() == ["switch 2", "b 0.25", "a 0.5"])
    #expect(player.program.widgets.value(1) == 0.5)
    #expect(player.program.widgets.value(0) == 0.25)
    let initial = player.program.patch.initialValues
    #expect(initial.map(\.channel) == ["b", "a"])
    #expect(initial.map(\.value) == [0.25, 0.5])
  }

  @Test func slotsStayAndFreeOnesAreUsedAgain() {
    let a = line("left.x", to: [.channel("a")])
    let b = line("left.y", to: [.channel("b")])
    let c = line("right.x", to: [.channel("c")])
    let first = Program(MappingDescription([a, b]))
    #expect(first.patch.slots.map(channel) == ["a", "b"])
    let second = Program(MappingDescription([b]), after: first)
    #expect(second.patch.slots.map(channel) == [nil, "b"])
    let third = Program(MappingDescription([c, b]), after: second)
    #expect(third.patch.slots.map(channel) == ["c", "b"])
    #expect(third.generation == 3)
  }

  @Test func smoothingChangesInPlace() {
    func mapping(_ seconds: Double) -> MappingDescription {
      MappingDescription([line("left.x", [.smooth(seconds: seconds)], to: [.channel("a")])])
    }
    let first = Program(mapping(0.02))
    let second = Program(mapping(0.05), after: first)
    #expect(first.patch.slots == [.channel(name: "a", smoothing: 0.02)])
    #expect(second.patch.slots == [.channel(name: "a", smoothing: 0.05)])
  }

  @Test func numberThatWentToAnotherLineTakesNothingOver() {
    // The program in between is never installed, so the slot changes hands unseen.
    let player = Player(MappingDescription([note]))
    player.plug()
    player.frame([(.south, 1)])
    _ = player.taken()
    let between = Program(MappingDescription([]), after: player.program)
    let last = Program(
      MappingDescription([line("east", to: [.note(instrument: "9")], name: "other")]),
      after: between)
    player.runtime.install(.passRetained(last), time: 0).release()
    #expect(player.taken() == ["note 1 off 60", "switch 3"])
  }

  @Test func devicesStayBoundByName() {
    let pad = DeviceDeclaration(name: "pad", role: .declared(.gamepad))
    let other = DeviceDeclaration(name: "other", role: .declared(.gamepad))
    let player = Player(
      MappingDescription([line("left.x", to: [.channel("x")], name: "x")], devices: [pad]))
    player.plug()
    player.reload(
      MappingDescription(
        [
          line("left.x", to: [.channel("x")], device: 1, name: "x"),
          line("left.x", to: [.channel("y")], device: 0, name: "y"),
        ], devices: [other, pad]))
    _ = player.taken()
    player.frame([(.leftX, 0.5)])
    #expect(player.taken() == ["x 0.5"])
    player.reload(MappingDescription([], devices: [other]))
    _ = player.taken()
    #expect(!player.runtime.isBound(0, to: 0))
  }

  private func channel(_ slot: EnginePatch.Slot) -> String? {
    if case .channel(let name, _) = slot { return name }
    return nil
  }
}
