import Events
import Mapping
import Testing
import Widgets

/// If these fail, something sticks when a cable comes out, or a device that returns does not play.
struct DeviceBindingTests {
  private let mapping = MappingDescription(
    [
      line("south", to: [.note(instrument: "1")]),
      line("south", [.to(ValueRange(2, 5), .linear)], to: [.channel("pressed")]),
      line("south", to: [.widget(0)]),
      line("left.x", to: [.channel("x"), .note(instrument: "2"), .widget(1)]),
    ],
    widgets: [
      WidgetDescription(name: "b", kind: .button), WidgetDescription(name: "s", kind: .button),
    ])

  @Test func unplugReleasesNotesAndButtonsAndHoldsTheRest() {
    let player = Player(mapping)
    player.plug()
    player.frame([(.south, 1), (.leftX, 1)])
    _ = player.taken()
    player.send(.unplugged)
    #expect(player.taken() == ["pressed 2", "b 0", "s 0", "note 1 off 60", "note 2 off 60"])
    #expect(player.program.widgets.value(0) == 0)
    player.runtime.unbind(0, from: 0, time: 0)
    #expect(player.taken() == [])
  }

  @Test func replugStartsFromRest() {
    let player = Player(mapping)
    player.plug()
    player.frame([(.south, 1), (.leftX, 0.5)])
    player.send(.unplugged)
    player.runtime.unbind(0, from: 0, time: 0)
    _ = player.taken()
    player.plug(3)
    player.frame([(.south, 1)], device: 3)
    #expect(player.taken() == ["pressed 5", "b 1", "note 1 on 60 127"])
    player.frame([(.leftX, 0.5)], device: 3)
    #expect(player.taken() == ["s 1", "note 2 on 60 95.25"])
  }

  @Test func deviceThatIsHeldWhenBoundPlaysAtOnce() {
    let player = Player(mapping)
    player.frame([(.south, 1), (.leftX, -0.5)])
    #expect(player.taken() == [])
    player.runtime.bind(0, to: 0, time: 0)
    #expect(
      player.taken() == [
        "pressed 5", "b 1", "x -0.5", "s 1", "note 1 on 60 127", "note 2 on 60 31.75",
      ])
    player.frame([(.south, 0)])
    #expect(player.taken() == ["pressed 2", "b 0", "note 1 off 60"])
  }

  @Test func unbindReleases() {
    let player = Player(mapping)
    player.plug()
    player.frame([(.south, 1)])
    _ = player.taken()
    player.runtime.unbind(0, from: 0, time: 0)
    #expect(player.taken() == ["pressed 2", "b 0", "note 1 off 60"])
    player.frame([(.south, 0)])
    player.frame([(.south, 1)])
    #expect(player.taken() == [])
    #expect(!player.runtime.isBound(0, to: 0))
  }

  @Test func unplugWithoutFrameEndDeliversWhatWasSeenFirst() {
    let player = Player(mapping)
    player.plug()
    player.runtime.process(
      ControlEvent(.value, time: 1, device: 0, control: .south, value: 1))
    player.send(.unplugged)
    #expect(
      player.taken() == [
        "pressed 5", "b 1", "note 1 on 60 127", "pressed 2", "b 0", "note 1 off 60",
      ])
  }

  @Test func afterALossTheTrueStateClosesWhatIsNotPressed() {
    let player = Player(mapping)
    player.plug()
    player.frame([(.south, 1)])
    _ = player.taken()
    player.send(.lost)
    player.frame([(.south, 0), (.leftX, 0.25)])
    #expect(
      player.taken() == [
        "pressed 2", "b 0", "x 0.25", "s 1", "note 1 off 60", "note 2 on 60 79.375",
      ])
  }

  @Test func panicReleasesEverythingOnce() {
    let player = Player(mapping)
    player.plug()
    player.frame([(.south, 1)])
    _ = player.taken()
    player.runtime.releaseAll(time: 0)
    #expect(player.taken() == ["pressed 2", "b 0", "note 1 off 60", "panic"])
    // The finger that was down all the time comes up: nothing more to release.
    player.frame([(.south, 0)])
    #expect(player.taken() == [])
    player.frame([(.south, 1)])
    #expect(player.taken() == ["pressed 5", "b 1", "note 1 on 60 127"])
  }

  @Test func devicesBeyondTheCapacityAreIgnored() {
    let player = Player(mapping)
    player.plug(64)
    player.frame([(.south, 1)], device: 64)
    player.frame([(.south, 1)], device: .max)
    #expect(player.taken() == [])
  }
}
