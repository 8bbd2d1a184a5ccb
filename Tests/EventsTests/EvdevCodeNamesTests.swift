import Events
import Testing

/// If these fail, `pad.ABS_THROTTLE` means another lever than the one that the kernel calls so.
@Suite struct EvdevCodeNamesTests {
  /// From include/uapi/linux/input-event-codes.h, read by eye.
  static let known: [(String, UInt16, UInt16)] = [
    ("ABS_X", 3, 0x00), ("ABS_RZ", 3, 0x05), ("ABS_THROTTLE", 3, 0x06), ("ABS_BRAKE", 3, 0x0a),
    ("ABS_HAT0X", 3, 0x10), ("ABS_HAT3Y", 3, 0x17), ("ABS_MISC", 3, 0x28),
    ("ABS_MT_SLOT", 3, 0x2f), ("ABS_MT_POSITION_X", 3, 0x35), ("ABS_MT_TOOL_Y", 3, 0x3d),
    ("BTN_0", 1, 0x100), ("BTN_TRIGGER", 1, 0x120), ("BTN_SOUTH", 1, 0x130),
    ("BTN_EAST", 1, 0x131), ("BTN_C", 1, 0x132), ("BTN_NORTH", 1, 0x133), ("BTN_WEST", 1, 0x134),
    ("BTN_TL", 1, 0x136), ("BTN_MODE", 1, 0x13c), ("BTN_THUMBR", 1, 0x13e),
    ("BTN_DPAD_UP", 1, 0x220), ("BTN_DPAD_RIGHT", 1, 0x223), ("BTN_TRIGGER_HAPPY1", 1, 0x2c0),
    ("BTN_TRIGGER_HAPPY40", 1, 0x2e7),
    ("KEY_ESC", 1, 1), ("KEY_1", 1, 2), ("KEY_Q", 1, 16), ("KEY_SPACE", 1, 57),
    ("KEY_F12", 1, 88), ("KEY_VOLUMEUP", 1, 115), ("KEY_RECORD", 1, 167), ("KEY_FN", 1, 0x1d0),
    ("REL_X", 2, 0), ("REL_WHEEL", 2, 8), ("MSC_TIMESTAMP", 4, 5), ("SW_TABLET_MODE", 5, 1),
  ]

  @Test(arguments: known) func namesAreTheKernels(name: String, type: UInt16, code: UInt16) throws {
    let found = try #require(EvdevCodeNames.code(named: name))
    #expect(found == (type, code))
    #expect(EvdevCodeNames.name(type: type, code: code) == name)
  }

  @Test func aliasesAreRead() throws {
    #expect(try #require(EvdevCodeNames.code(named: "BTN_A")).code == 0x130)
    #expect(try #require(EvdevCodeNames.code(named: "BTN_GAMEPAD")).code == 0x130)
    #expect(EvdevCodeNames.code(named: "ABS_WOBBLE") == nil)
    #expect(EvdevCodeNames.code(named: "FF_RUMBLE") == nil)
    #expect(EvdevCodeNames.code(named: "abs_x") == nil)
    #expect(EvdevCodeNames.code(named: "") == nil)
  }

  @Test func everyCodeHasANameThatReadsBack() {
    for (type, last) in [(UInt16(1), UInt16(0x2ff)), (2, 0x0f), (3, 0x3f), (4, 7), (5, 0x10)] {
      for code in 0...last {
        guard let name = EvdevCodeNames.name(type: type, code: code) else {
          Issue.record("type \(type) code \(code) has no name")
          continue
        }
        let found = EvdevCodeNames.code(named: name)
        #expect(found?.type == type && found?.code == code, "\(name)")
      }
    }
    #expect(EvdevCodeNames.name(type: 0x15, code: 0) == nil)
  }

  @Test func codesOutsideTheKernelsRangeAreRefused() {
    #expect(EvdevCodeNames.code(named: "ABS_0x40") == nil)
    #expect(EvdevCodeNames.code(named: "KEY_0x300") == nil)
    #expect(EvdevCodeNames.code(named: "ABS_0x") == nil)
    #expect(EvdevCodeNames.code(named: "ABS_0x2a")?.code == 0x2a)
  }

  @Test func rawControlsCarryTheirNode() {
    #expect(ControlID(rawName: "ABS_RZ") == .raw(.pad, type: 3, code: 5))
    #expect(ControlID(rawName: "motion.ABS_RZ") == .raw(.motion, type: 3, code: 5))
    #expect(ControlID(rawName: "touchpad.ABS_X") == .raw(.touchpad, type: 3, code: 0))
    #expect(ControlID(rawName: "elbow.ABS_X") == nil)
    for node in ControlID.Node.allCases {
      let id = ControlID.raw(node, type: 1, code: 0x130)
      #expect(id.rawName.flatMap(ControlID.init(rawName:)) == id)
    }
    #expect(ControlID.leftX.rawName == nil)
  }
}
