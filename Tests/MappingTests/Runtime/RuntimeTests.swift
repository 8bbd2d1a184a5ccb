import Events
import Mapping
import Testing
import Widgets

/// If these fail, moving a control does not do what the mapping says.
struct RuntimeTests {
  @Test func valueReachesChannelAsItIs() {
    let player = Player(MappingDescription([line("left.x", to: [.channel("pan")])]))
    player.plug()
    player.frame([(.leftX, 0.25)])
    player.frame([(.leftX, 0.25)])
    player.frame([(.leftX, -1)])
    #expect(player.taken() == ["pan 0.25", "pan -1"])
  }

  @Test func nothingIsSentAtRest() {
    let player = Player(
      MappingDescription([
        line("left.x", [.to(ValueRange(0, 1), .linear)], to: [.channel("pan")])
      ]))
    player.plug()
    player.frame([(.leftX, 0)])
    #expect(player.taken() == [])
    player.frame([(.leftX, 1)])
    player.frame([(.leftX, 0)])
    #expect(player.taken() == ["pan 1", "pan 0.5"])
  }

  @Test func firstValueIsSentEvenIfZero() {
    let player = Player(
      MappingDescription([line("left.trigger", [.invert], to: [.channel("c")])]))
    player.plug()
    player.frame([(.leftTrigger, 1)])
    #expect(player.taken() == ["c 0"])
  }

  @Test func stagedValueThatStaysIsSentOnce() {
    let player = Player(
      MappingDescription([line("left.x", [.from(ValueRange(0, 0.5))], to: [.channel("c")])]))
    player.plug()
    player.frame([(.leftX, 0.6)])
    player.frame([(.leftX, 0.7)])
    player.frame([(.leftX, 0.4)])
    #expect(player.taken() == ["c 0.5", "c 0.4"])
  }

  @Test func widgetIsScaledByItsScaleUnlessTheLineSpeaksItsUnits() {
    let widgets = [
      WidgetDescription(name: "cutoff", kind: .slider, range: ValueRange(100, 10000), scale: .log),
      WidgetDescription(name: "level", kind: .slider, range: ValueRange(0, 0.8)),
      WidgetDescription(name: "units", kind: .slider, range: ValueRange(0, 0.8)),
    ]
    let player = Player(
      MappingDescription(
        [
          line("left.x", to: [.widget(0), .widget(1)]),
          line("left.x", [.to(ValueRange(0, 2), .linear)], to: [.widget(2)]),
        ], widgets: widgets))
    player.plug()
    player.frame([(.leftX, 1)])
    #expect(player.taken() == ["cutoff 10000", "level 0.8", "units 0.8"])
    player.frame([(.leftX, 0.5)])
    // 100·100^0.75 = 10^3.5; 0.8·0.75; 2·0.75 clamped.
    let widget = player.program.widgets
    #expect(abs(widget.value(0) - 3162.2776601683795) < 1e-9)
    #expect(abs(widget.value(1) - 0.6) < 1e-15)
    #expect(widget.value(2) == 0.8)
    #expect(widget.lastMover(0) == .mapping)
  }

  @Test func handMovesWidgetAndItsChannel() {
    let widget = WidgetDescription(
      name: "cutoff", kind: .slider, range: ValueRange(60, 10000), defaultValue: 3000)
    let player = Player(
      MappingDescription([line("left.trigger", to: [.widget(0)])], widgets: [widget]))
    player.plug()
    player.frame([(.leftTrigger, 1)])
    player.runtime.process(
      ControlEvent(
        .widget, time: 5, device: 0, control: ControlID(rawValue: 0), value: 440))
    player.frame([(.leftTrigger, 0)])
    player.frame([(.leftTrigger, 1)])
    #expect(player.taken() == ["cutoff 10000", "cutoff 440", "cutoff 60", "cutoff 10000"])
    #expect(player.program.patch.initialValues.map(\.value) == [3000])
  }

  @Test func handOnMissingWidgetIsIgnored() {
    let player = Player(MappingDescription([]))
    player.runtime.process(
      ControlEvent(.widget, time: 5, device: 0, control: ControlID(rawValue: 7), value: 440))
    #expect(player.taken() == [])
  }

  @Test func buttonWidgetFollowsTheGate() {
    let button = WidgetDescription(name: "b", kind: .button, range: ValueRange(-5, 5))
    let player = Player(
      MappingDescription([line("left.x", to: [.widget(0)])], widgets: [button]))
    player.plug()
    for value in [0.2, 0.7, 0] { player.frame([(.leftX, value)]) }
    #expect(player.taken() == ["b 1", "b 0"])
  }

  @Test func noteIsHeldWhileTheGateIsOpen() {
    let player = Player(
      MappingDescription([
        line("south", to: [.note(instrument: "1", key: 64)]),
        line("left.trigger", to: [.note(instrument: "2")]),
        line("east", to: [.note(instrument: "3", key: 60, velocity: 50)]),
      ]))
    player.plug()
    player.frame([(.south, 1)])
    // 127·0.25; a later change of the value changes nothing.
    player.frame([(.leftTrigger, 0.25)])
    player.frame([(.leftTrigger, 0.5)])
    player.frame([(.east, 1)])
    player.frame([(.south, 0), (.leftTrigger, 0), (.east, 0)])
    #expect(
      player.taken() == [
        "note 1 on 64 127", "note 2 on 60 31.75", "note 3 on 60 50", "note 1 off 64",
        "note 2 off 60", "note 3 off 60",
      ])
  }

  @Test func velocityIsAtLeastOneAndComesFromTheStagedRange() {
    let note = TargetDescription.note(instrument: "1")
    let player = Player(
      MappingDescription([
        line("left.x", to: [note]),
        line("right.trigger", [.to(ValueRange(10, 20), .linear)], to: [note]),
      ]))
    player.plug()
    player.frame([(.leftX, -1)])
    // (15 − 10)/(20 − 10)·127
    player.frame([(.rightTrigger, 0.5)])
    #expect(player.taken() == ["note 1 on 60 1", "note 1 on 60 63.5"])
  }

  @Test func frameDeliversValuesThenClosingsThenOpenings() {
    let player = Player(
      MappingDescription([
        line("south", to: [.note(instrument: "1")]),
        line("east", to: [.note(instrument: "2")]),
        line("left.x", to: [.channel("x")]),
      ]))
    player.plug()
    player.frame([(.east, 1)])
    _ = player.taken()
    player.frame([(.south, 1), (.east, 0), (.leftX, 0.5)])
    #expect(player.taken() == ["x 0.5", "note 2 off 60", "note 1 on 60 127"])
  }

  @Test func pressAndReleaseInOneFrameAreBothHeard() {
    let player = Player(MappingDescription([line("south", to: [.note(instrument: "1")])]))
    player.plug()
    player.frame([(.south, 1), (.south, 0)])
    player.frame([(.south, 1), (.south, 0), (.south, 1)])
    #expect(
      player.taken() == [
        "note 1 on 60 127", "note 1 off 60", "note 1 on 60 127", "note 1 off 60",
        "note 1 on 60 127",
      ])
  }

  @Test func manyEventsAtOnceAreHeardInTheirOrder() {
    let player = Player(
      MappingDescription([
        line("left.x", to: [.channel("x")]), line("south", to: [.note(instrument: "1")]),
      ]))
    player.plug()
    let events = [
      ControlEvent(.value, time: 1, device: 0, control: .leftX, value: 0.25),
      ControlEvent(.value, time: 1, device: 0, control: .south, value: 1),
      ControlEvent(.frameEnd, time: 1, device: 0),
      ControlEvent(.value, time: 2, device: 0, control: .south, value: 0),
      ControlEvent(.value, time: 2, device: 0, control: .leftX, value: 0.5),
      ControlEvent(.frameEnd, time: 2, device: 0),
      ControlEvent(.value, time: 3, device: 0, control: .leftX, value: 1),
    ]
    events.withUnsafeBufferPointer { player.runtime.process($0) }
    #expect(
      player.taken() == ["x 0.25", "note 1 on 60 127", "x 0.5", "note 1 off 60"],
      "the last frame has not ended")
  }

  @Test func lastOfTwoLinesWins() {
    let player = Player(
      MappingDescription([
        line("left.x", to: [.channel("c")]), line("right.x", to: [.channel("c")]),
      ]))
    player.plug()
    player.frame([(.leftX, 0.5)])
    player.frame([(.rightX, 0.7)])
    player.frame([(.leftX, 0.4)])
    player.frame([(.leftX, 0.7)])
    #expect(player.taken() == ["c 0.5", "c 0.7", "c 0.4", "c 0.7"])
    #expect(player.program.patch.slots == [.channel(name: "c", smoothing: 0)])
  }

  @Test func oneDeviceMayPlaySeveral() {
    let devices = [
      DeviceDeclaration(name: "pad", role: .declared(.gamepad)),
      DeviceDeclaration(name: "gamepad", role: .first(.gamepad)),
    ]
    let player = Player(
      MappingDescription(
        [
          line("left.x", to: [.channel("a")]), line("left.x", to: [.channel("b")], device: 1),
        ], devices: devices))
    player.plug()
    player.runtime.bind(0, to: 1, time: 0)
    player.frame([(.leftX, 0.5)])
    player.runtime.unbind(0, from: 0, time: 0)
    player.frame([(.leftX, 0.6)])
    #expect(player.taken() == ["a 0.5", "b 0.5", "b 0.6"])
  }

  @Test func rawCodesAreControlsToo() {
    let code = ControlID.raw(.pad, type: 3, code: 5)
    let other = ControlID.raw(.motion, type: 3, code: 5)
    let route = RouteDescription(
      identity: "raw", device: 0, control: code, range: ValueRange(0, 255),
      targets: [.channel("c")])
    let player = Player(MappingDescription([route]))
    player.plug()
    player.frame([(code, 200), (other, 7)])
    #expect(player.taken() == ["c 200"])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func notANumberGoesNowhere(_ value: Double) {
    let player = Player(MappingDescription([line("left.x", to: [.channel("c")])]))
    player.plug()
    player.frame([(.leftX, value)])
    #expect(player.taken() == [])
  }
}
