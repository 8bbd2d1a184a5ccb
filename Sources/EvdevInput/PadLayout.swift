internal import Events

/// Which control each code of a pad's node is.
///
/// Follows the kernel's Documentation/input/gamepad.rst, and where drivers differ from it, the drivers.
struct PadLayout: Sendable {
  enum Axis: Sendable, Equatable {
    case stick(ControlID, inverted: Bool)
    case trigger(ControlID)
    case hatX
    case hatY
  }

  private(set) var axes: [UInt16: Axis] = [:]
  private(set) var keys: [UInt16: ControlID] = [:]

  init(node: EvdevNode) {
    let axes = PadLayout.axes(of: node)
    self.axes = axes
    let candidates =
      PadLayout.standardButtons(node).merging(PadLayout.peculiarButtons(node)) { $1 }
    let hasAnalogue = { (trigger: ControlID) in axes.values.contains(.trigger(trigger)) }
    for (code, control) in candidates where node.keys.contains(code) {
      // A trigger that reports its travel and a switch is the travel.
      let isDoubled =
        (control == .leftTrigger || control == .rightTrigger) && hasAnalogue(control)
      if !isDoubled { keys[code] = control }
    }
  }

  private static func axes(of node: EvdevNode) -> [UInt16: Axis] {
    let has = node.axes.contains
    var axes: [UInt16: Axis] = [:]
    func stick(_ x: UInt16, _ y: UInt16, _ control: ControlID) {
      if has(x) { axes[x] = .stick(control, inverted: false) }
      // Up is the smaller number in evdev.
      if has(y) { axes[y] = .stick(control.offset(by: 1), inverted: true) }
    }
    func triggers(_ left: UInt16, _ right: UInt16) {
      if axes.values.contains(.trigger(.leftTrigger)) { return }
      if axes.values.contains(.trigger(.rightTrigger)) { return }
      if has(left) { axes[left] = .trigger(.leftTrigger) }
      if has(right) { axes[right] = .trigger(.rightTrigger) }
    }
    stick(AxisCode.x, AxisCode.y, .leftX)
    if has(AxisCode.rx) && has(AxisCode.ry) {
      stick(AxisCode.rx, AxisCode.ry, .rightX)
      triggers(AxisCode.z, AxisCode.rz)
    } else {
      // Pads on the generic HID driver: the right stick is the second pair of their report.
      stick(AxisCode.z, AxisCode.rz, .rightX)
    }
    triggers(AxisCode.brake, AxisCode.gas)
    // hid-steam.c; gamepad.rst: HAT2Y is the left one.
    triggers(AxisCode.hat2Y, AxisCode.hat2X)
    // With buttons for the cross, HAT0 is something else (hid-steam.c: the left touchpad).
    if !node.keys.containsAny(KeyCode.dpad) {
      if has(AxisCode.hat0X) { axes[AxisCode.hat0X] = .hatX }
      if has(AxisCode.hat0Y) { axes[AxisCode.hat0Y] = .hatY }
    }
    return axes
  }

  private static func standardButtons(_ node: EvdevNode) -> [UInt16: ControlID] {
    var keys: [UInt16: ControlID] = [
      0x130: .south, 0x131: .east, 0x133: .north, 0x134: .west,
      0x136: .leftShoulder, 0x137: .rightShoulder, 0x138: .leftTrigger, 0x139: .rightTrigger,
      0x13a: .select, 0x13b: .start, 0x13c: .mode, 0x13d: .leftClick, 0x13e: .rightClick,
      0x220: .dpadUp, 0x221: .dpadDown, 0x222: .dpadLeft, 0x223: .dpadRight,
      // BTN_TRIGGER_HAPPY1…4; BTN_GRIPL, R, L2, R2 of newer kernels; KEY_RECORD.
      0x2c0: .paddle1, 0x2c1: .paddle2, 0x2c2: .paddle3, 0x2c3: .paddle4,
      0x224: .paddle1, 0x225: .paddle2, 0x226: .paddle3, 0x227: .paddle4, 167: .capture,
    ]
    if namesFacesByLabel(node) {
      keys[0x133] = .west
      keys[0x134] = .north
    }
    // BTN_TRIGGER…BTN_BASE6, buttons 1 to 12 of plain joysticks and pads: the usual order of their labels.
    let joystick: [ControlID] = [
      .south, .east, .west, .north, .leftShoulder, .rightShoulder, .leftTrigger, .rightTrigger,
      .select, .start, .leftClick, .rightClick,
    ]
    if !node.keys.contains(0x130) {
      for (index, control) in joystick.enumerated() { keys[0x120 + UInt16(index)] = control }
    }
    return keys
  }

  // BTN_X is the same number as BTN_NORTH, and BTN_Y as BTN_WEST, yet X is the left one on an Xbox pad. Drivers that
  // report what is printed on the button: xpad.c, hid-steam.c, and Xbox pads by Bluetooth.
  private static func namesFacesByLabel(_ node: EvdevNode) -> Bool {
    node.driver == "xpad" || node.driver == "steam" || node.driver == "hid-steam"
      || node.vendor == 0x045e || node.vendor == 0x28de
  }

  private static func peculiarButtons(_ node: EvdevNode) -> [UInt16: ControlID] {
    if node.driver == "xpad" || node.vendor == 0x045e {
      // xpad.c: 1…4 are the cross of wireless 360 pads, 5…8 the paddles of the Elite.
      return [
        0x2c0: .dpadLeft, 0x2c1: .dpadRight, 0x2c2: .dpadUp, 0x2c3: .dpadDown,
        0x2c4: .paddle1, 0x2c5: .paddle2, 0x2c6: .paddle3, 0x2c7: .paddle4,
      ]
    }
    // hid-nintendo.c: BTN_Z is Capture; the rail's SL and SR take the codes that the other half does not need.
    switch node.model {
    case "joycon-left": return [0x135: .capture, 0x137: .leftSide, 0x139: .rightSide]
    case "joycon-right": return [0x136: .leftSide, 0x138: .rightSide]
    case "switch-pro", "joycon-grip", "switch-snes", "switch-n64": return [0x135: .capture]
    // hid-wiimote-modules.c: arrow keys, KEY_NEXT (+), KEY_PREVIOUS (−), BTN_1, BTN_2.
    case "wiimote":
      return [
        103: .dpadUp, 108: .dpadDown, 105: .dpadLeft, 106: .dpadRight,
        0x197: .start, 0x19c: .select, 0x101: .west, 0x102: .north,
      ]
    default: return [:]
    }
  }
}
