import EvdevInput
import Testing

/// Who loses one of these has their keyboard read, or their pad ignored.
@Suite struct EvdevNodeTests {
  @Test func padsMotionNodesAndTheirTouchpadsAreTold() {
    #expect(TestNodes.dualSense.role == .pad)
    #expect(TestNodes.dualSenseMotion.role == .motion)
    #expect(TestNodes.dualSenseTouchpad.role == .touchpad)
    #expect(TestNodes.generic.role == .pad)
    #expect(TestNodes.xbox.role == .pad)
    #expect(TestNodes.switchProIMU.role == .motion)
    #expect(TestNodes.wiimoteAccelerometer.role == .motion)
    #expect(TestNodes.wiimoteMotionPlus.role == .motion)
  }

  @Test func everythingElseIsLeftAlone() {
    let others = [
      TestNodes.keyboard,
      EvdevNode(name: "Power Button", keys: [116]),
      EvdevNode(name: "Mouse", keys: CodeSet(0x110...0x117)),
      EvdevNode(
        name: "Laptop touchpad", vendor: 0x06cb, properties: [0, 2], keys: [0x110, 0x145, 0x14a],
        axes: [0, 1, 0x2f, 0x35, 0x36, 0x39]),
      EvdevNode(
        name: "Touchscreen", properties: [1], keys: [0x14a], axes: [0, 1, 0x2f, 0x35, 0x36, 0x39]),
      EvdevNode(name: "Tablet", keys: [0x140, 0x14a, 0x120], axes: [0, 1, 24]),
      EvdevNode(
        name: "Wacom pad", vendor: 0x056a, properties: [6], keys: [0x130], axes: [0, 1, 2]),
      // A keyboard whose report descriptor lists joystick buttons as well.
      EvdevNode(name: "Keyboard", keys: CodeSet(Array(1...127) + Array(0x120...0x12f)), axes: [0]),
      // Three axes and no buttons, but nothing that says what they measure.
      EvdevNode(name: "Three axes", axes: [0, 1, 2]),
      EvdevNode(name: "", keys: [0x130]),
    ]
    for node in others {
      #expect(node.role == nil, "\(node.name)")
      #expect(node.controls == [])
    }
  }

  @Test func motionAxesNeverBecomeSticks() {
    var node = TestNodes.dualSenseMotion
    node.keys = CodeSet(0x130...0x13e)
    #expect(node.role == .motion)
  }

  @Test func sysfsIsReadAsTheKernelPrintsIt() {
    // A DualSense's node: BTN_SOUTH … BTN_THUMBR without C and Z in the fifth word, ABS 0x3003f.
    let node = EvdevNode(
      attributes: [
        "name": "Pad", "id/vendor": "054c", "id/product": "0ce6", "properties": "0",
        "capabilities/key": "7fdb000000000000 0 0 0 0", "capabilities/abs": "3003f",
        "capabilities/msc": "10",
      ], driver: "playstation")
    #expect(node.keys == TestNodes.dualSense.keys)
    #expect(node.axes == TestNodes.dualSense.axes)
    #expect(node.role == .pad)
    #expect(node.miscellaneous.codes == [4])
    #expect(node.properties.isEmpty)
    #expect(node.model == "dualsense")
    #expect(CodeSet(sysfs: "40")?.contains(6) == true)
    #expect(CodeSet(sysfs: "x") == nil)
    #expect(EvdevNode(attributes: [:], driver: "").role == nil)
  }

  @Test func modelsAreKnownByTheirIds() {
    let models: [(UInt16, UInt16, String)] = [
      (0x054c, 0x0df2, "dualsense-edge"), (0x054c, 0x05c4, "dualshock4"),
      (0x054c, 0x09cc, "dualshock4"), (0x054c, 0x0ba0, "dualshock4"),
      (0x054c, 0x0268, "dualshock3"), (0x057e, 0x2009, "switch-pro"),
      (0x057e, 0x2006, "joycon-left"), (0x057e, 0x2007, "joycon-right"),
      (0x28de, 0x1205, "steam-deck"), (0x057e, 0x0306, "wiimote"), (0x057e, 0x0330, "wiimote"),
      (0x045e, 0x0b13, "xbox-series"),
    ]
    for (vendor, product, name) in models {
      #expect(EvdevNode(name: "renamed", vendor: vendor, product: product).model == name)
      #expect(knownModelNames.contains(name))
    }
    #expect(EvdevNode(name: "DualSense", vendor: 1, product: 2).model == nil)
    #expect(Set(knownModelNames).count == knownModelNames.count)
  }

  @Test func controlsAreNamedAsTheLanguageNamesThem() {
    #expect(
      TestNodes.dualSense.controls == [
        "left", "right", "dpad", "left.trigger", "right.trigger", "south", "east", "west", "north",
        "select", "start", "mode", "left.shoulder", "right.shoulder", "left.click", "right.click",
      ])
    #expect(TestNodes.dualSenseMotion.controls == ["accelerometer", "gyro"])
    #expect(TestNodes.dualSenseTouchpad.controls == ["touchpad.click", "touch"])
    #expect(TestNodes.wiimoteMotionPlus.controls == ["gyro"])
  }
}
