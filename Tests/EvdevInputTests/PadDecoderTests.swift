import Events
import Testing

@testable import EvdevInput

/// Who loses one of these presses a button and hears another, or none.
@Suite struct PadDecoderTests {
  private func decoded(
    _ node: EvdevNode, _ axes: [UInt16: AxisInfo], _ events: [EvdevEvent]
  ) -> [Seen] {
    var decoder = PadDecoder(node: node, axes: axes, device: 3, number: 5)
    let buffer = EventBuffer(capacity: 256)
    for event in events { decoder.decode(event, into: buffer) }
    return buffer.take()
  }

  private func dualSense(_ events: EvdevEvent...) -> [Seen] {
    decoded(TestNodes.dualSense, TestNodes.dualSenseAxes, events)
  }

  @Test func sticksGoRightAndUp() {
    #expect(dualSense(axis(0, 255), axis(1, 0)) == [Seen("left.x", 1), Seen("left.y", 1)])
    #expect(dualSense(axis(3, 0), axis(4, 255)) == [Seen("right.x", -1), Seen("right.y", -1)])
    #expect(
      dualSense(axis(0, 129), axis(0, 128)) == [Seen("left.x", 1.0 / 127), Seen("left.x", 0)])
  }

  @Test func triggersAreTheirTravelNotTheirSwitch() {
    #expect(
      dualSense(axis(2, 51), key(0x138, 1), axis(5, 255), key(0x139, 1))
        == [Seen("left.trigger", 0.2), Seen("right.trigger", 1)])
  }

  @Test func theHatIsTheCrossAsAxesAndAsButtons() {
    #expect(
      dualSense(axis(16, -1), axis(17, -1), axis(16, 0), axis(17, 1))
        == [
          Seen("dpad.x", -1), Seen("dpad.left", 1), Seen("dpad.y", 1), Seen("dpad.up", 1),
          Seen("dpad.x", 0), Seen("dpad.left", 0), Seen("dpad.y", -1), Seen("dpad.up", 0),
          Seen("dpad.down", 1),
        ])
  }

  @Test func buttonsArePositionsOnPadsThatReportPositions() {
    // hid-playstation.c: cross SOUTH, circle EAST, triangle NORTH, square WEST
    let codes: [(UInt16, String)] = [
      (0x130, "south"), (0x131, "east"), (0x133, "north"), (0x134, "west"),
      (0x136, "left.shoulder"), (0x137, "right.shoulder"), (0x13a, "select"), (0x13b, "start"),
      (0x13c, "mode"), (0x13d, "left.click"), (0x13e, "right.click"),
    ]
    for (code, name) in codes {
      #expect(dualSense(key(code, 1), key(code, 0)) == [Seen(name, 1), Seen(name, 0)])
    }
  }

  @Test func anXboxPadsXIsTheLeftButton() {
    // xpad.c: BTN_X (0x133) is what X sends, and X is left, Y on top; Share is KEY_RECORD.
    let seen = decoded(
      TestNodes.xbox, [:], [key(0x133, 1), key(0x134, 1), key(0x130, 1), key(167, 1)])
    #expect(seen == [Seen("west", 1), Seen("north", 1), Seen("south", 1), Seen("capture", 1)])
    var byBluetooth = TestNodes.xbox
    byBluetooth.driver = "hid-generic"
    #expect(decoded(byBluetooth, [:], [key(0x133, 1)]) == [Seen("west", 1)])
  }

  @Test func aGenericPadsSecondStickIsItsSecondPairAndTriggersAreSwitches() {
    var axes: [UInt16: AxisInfo] = [:]
    for code in TestNodes.generic.axes.codes { axes[code] = AxisInfo(minimum: 0, maximum: 255) }
    let seen = decoded(
      TestNodes.generic, axes,
      [axis(2, 255), axis(5, 255), key(0x126, 1), key(0x127, 1), key(0x120, 1)])
    #expect(
      seen == [
        Seen("right.x", 1), Seen("right.y", -1), Seen("left.trigger", 1), Seen("right.trigger", 1),
        Seen("south", 1),
      ])
  }

  @Test func brakeAndGasAreTheTriggersBesideAStickOnZAndRZ() {
    let node = EvdevNode(
      name: "Pad", keys: CodeSet(0x130...0x13e), axes: [0, 1, 2, 5, 9, 10, 16, 17])
    var axes: [UInt16: AxisInfo] = [:]
    for code in node.axes.codes { axes[code] = AxisInfo(minimum: 0, maximum: 1023) }
    #expect(
      decoded(node, axes, [axis(10, 1023), axis(9, 1023), axis(2, 1023), key(0x138, 1)])
        == [Seen("left.trigger", 1), Seen("right.trigger", 1), Seen("right.x", 1)])
  }

  @Test func aSteamDecksTriggersCrossAndTouchpadsAreNotMixedUp() {
    // hid-steam.c: HAT2Y left trigger, HAT2X right; HAT0 is the left touchpad; the cross is buttons.
    let node = EvdevNode(
      name: "Steam Deck", vendor: 0x28de, product: 0x1205, driver: "steam",
      keys: CodeSet(Array(0x130...0x13e) + Array(0x220...0x223) + Array(0x2c0...0x2c3)),
      axes: [0, 1, 3, 4, 16, 17, 18, 19, 20, 21])
    var axes: [UInt16: AxisInfo] = [:]
    for code in node.axes.codes { axes[code] = AxisInfo(minimum: -32767, maximum: 32767) }
    for code in [UInt16](20...21) { axes[code] = AxisInfo(minimum: 0, maximum: 32767) }
    let seen = decoded(
      node, axes,
      [
        axis(21, 32767), axis(20, 32767), axis(16, 32767), key(0x220, 1), key(0x2c0, 1),
        key(0x133, 1), axis(3, 32767),
      ])
    #expect(
      seen == [
        Seen("left.trigger", 1), Seen("right.trigger", 1), Seen("dpad.y", 1), Seen("dpad.up", 1),
        Seen("paddle1", 1), Seen("west", 1), Seen("right.x", 1),
      ])
  }

  @Test func joyConRailsAndTriggersHaveTheirNames() {
    // hid-nintendo.c: left half: SL is BTN_TR, SR is BTN_TR2, ZL BTN_TL2, Capture BTN_Z.
    let left = EvdevNode(
      name: "Left Joy-Con", vendor: 0x057e, product: 0x2006, driver: "nintendo",
      keys: CodeSet(Array(0x220...0x223) + [0x135, 0x136, 0x137, 0x138, 0x139, 0x13a, 0x13d]),
      axes: [0, 1])
    #expect(
      decoded(left, [:], [0x137, 0x139, 0x136, 0x138, 0x135].map { key($0, 1) })
        == [
          Seen("left.side", 1), Seen("right.side", 1), Seen("left.shoulder", 1),
          Seen("left.trigger", 1), Seen("capture", 1),
        ])
    let right = EvdevNode(
      name: "Right Joy-Con", vendor: 0x057e, product: 0x2007, driver: "nintendo",
      keys: CodeSet([0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x138, 0x139, 0x13b, 0x13c, 0x13e]),
      axes: [3, 4])
    #expect(
      decoded(
        right, [3: AxisInfo(minimum: -32767, maximum: 32767)],
        [key(0x136, 1), key(0x138, 1), key(0x137, 1), key(0x139, 1), axis(3, 32767)])
        == [
          Seen("left.side", 1), Seen("right.side", 1), Seen("right.shoulder", 1),
          Seen("right.trigger", 1), Seen("right.x", 1),
        ])
  }

  @Test func whatDoesNotChangeIsNotToldAndRepeatsOfAHeldKeyAreNone() {
    #expect(dualSense(key(0x130, 1), key(0x130, 2), key(0x130, 1)) == [Seen("south", 1)])
    #expect(dualSense(axis(0, 255), axis(0, 255), axis(0, 300)) == [Seen("left.x", 1)])
    #expect(dualSense(axis(0, 127), axis(63, 1), axis(700, 1), key(0x2ff, 1), key(900, 1)) == [])
  }

  @Test func bothSidesOfAWornCrossAtOnceAreNeither() {
    let node = EvdevNode(name: "Pad", keys: CodeSet(Array(0x220...0x223) + [0x130]), axes: [])
    #expect(
      decoded(node, [:], [key(0x222, 1), key(0x223, 1), key(0x222, 0)])
        == [
          Seen("dpad.x", -1), Seen("dpad.left", 1), Seen("dpad.x", 0), Seen("dpad.right", 1),
          Seen("dpad.x", 1), Seen("dpad.left", 0),
        ])
  }

  @Test func eventsCarryTimeDeviceAndNode() {
    var decoder = PadDecoder(
      node: TestNodes.dualSense, axes: TestNodes.dualSenseAxes, device: 3, number: 5)
    let buffer = EventBuffer(capacity: 8)
    decoder.decode(axis(0, 255, at: 123_456), into: buffer)
    let event = buffer.event(at: 0)
    #expect(event.time == 123_456)
    #expect(event.device == 3)
    #expect(event.node == 5)
    #expect(event.sensorTime == .none)
    #expect(event.control == .leftX)
  }
}
