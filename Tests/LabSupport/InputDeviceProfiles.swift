// Codes: include/uapi/linux/input-event-codes.h.
extension VirtualInputDevice.Profile {
  /// A pad as most are: two sticks, two analogue triggers, a hat, eleven buttons.
  public static func gamepad(
    name: String = "Lab Gamepad", physicalPath: String = "lab-pad-1", vendor: UInt16 = 0x1209,
    product: UInt16 = 0x5001
  ) -> Self {
    Self(
      name: name, physicalPath: physicalPath, vendor: vendor, product: product, keys: padKeys,
      axes: sticks([0, 1, 3, 4]) + [.init(2, 0...255), .init(5, 0...255)] + hat)
  }

  /// A pad with four axes and a hat, and nothing analogue on its triggers.
  public static func fourAxisPad(name: String = "Lab Four Axis Pad") -> Self {
    Self(
      name: name, physicalPath: "lab-pad-4", product: 0x5002, keys: padKeys + [0x138, 0x139],
      axes: [0, 1, 3, 4].map { .init($0, 0...255) } + hat)
  }

  /// A keyboard: its keys are nobody's business.
  public static func keyboard(name: String = "Lab Keyboard") -> Self {
    Self(name: name, product: 0x5003, keys: Array(1...0x58))
  }

  /// A mouse with a wheel.
  public static func mouse(name: String = "Lab Mouse") -> Self {
    Self(name: name, product: 0x5004, keys: [0x110, 0x111, 0x112], relativeAxes: [0, 1, 8])
  }

  /// A touchscreen, which has axes as a pad has.
  public static func touchscreen(name: String = "Lab Touchscreen") -> Self {
    Self(
      name: name, product: 0x5005, keys: [0x14A],
      axes: [.init(0, 0...4095, resolution: 10), .init(1, 0...4095, resolution: 10)],
      properties: [1])
  }

  /// An accelerometer and gyroscope of its own, 8192 to the g and 1024 to the °/s as the DualSense's node has it.
  public static func motionSensor(name: String = "Lab Motion Sensors") -> Self {
    Self(
      name: name, physicalPath: "lab-motion", product: 0x5006,
      axes: (0..<3).map { .init($0, -32_768...32_767, resolution: 8192) }
        + (3..<6).map { .init($0, -2_097_152...2_097_151, resolution: 1024) }, properties: [6])
  }

  /// South, east, north, west, shoulders, select, start, mode and the sticks' clicks.
  private static let padKeys: [UInt16] = [
    0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13A, 0x13B, 0x13C, 0x13D, 0x13E,
  ]

  private static let hat: [VirtualInputDevice.Axis] = [.init(16, -1...1), .init(17, -1...1)]

  private static func sticks(_ codes: [UInt16]) -> [VirtualInputDevice.Axis] {
    codes.map { .init($0, -32_768...32_767, fuzz: 16, flat: 128) }
  }
}
