import EvdevInput
import Events

/// Nodes as the kernel's drivers describe them (drivers/hid, drivers/input/joystick), and short ways to feed decoders.
enum TestNodes {
  private static let commonKeys: [UInt16] =
    [0x130, 0x131, 0x133, 0x134] + Array(0x136...0x13e)

  /// hid-playstation.c: ps_gamepad_create, ps_sensors_create, ps_touchpad_create
  static let dualSense = EvdevNode(
    name: "Sony Interactive Entertainment Wireless Controller", vendor: 0x054c, product: 0x0ce6,
    driver: "playstation", keys: CodeSet(commonKeys), axes: [0, 1, 2, 3, 4, 5, 16, 17])
  static let dualSenseAxes: [UInt16: AxisInfo] = {
    var axes: [UInt16: AxisInfo] = [:]
    for code in [UInt16](0...5) { axes[code] = AxisInfo(value: 128, minimum: 0, maximum: 255) }
    axes[2]!.value = 0
    axes[5]!.value = 0
    for code in [UInt16](16...17) { axes[code] = AxisInfo(minimum: -1, maximum: 1) }
    return axes
  }()

  static let dualSenseMotion = EvdevNode(
    name: "Sony Interactive Entertainment Wireless Controller Motion Sensors", vendor: 0x054c,
    product: 0x0ce6, driver: "playstation", properties: [6], axes: [0, 1, 2, 3, 4, 5],
    miscellaneous: [5])
  static let dualSenseMotionAxes = motionAxes(perG: 8192, perDegree: 1024)

  static let dualSenseTouchpad = EvdevNode(
    name: "Sony Interactive Entertainment Wireless Controller Touchpad", vendor: 0x054c,
    product: 0x0ce6, driver: "playstation", properties: [0, 2], keys: [0x110, 0x145, 0x14a, 0x14d],
    axes: [0, 1, 0x2f, 0x35, 0x36, 0x39])
  static let dualSenseTouchpadAxes: [UInt16: AxisInfo] = [
    0: AxisInfo(minimum: 0, maximum: 1919), 1: AxisInfo(minimum: 0, maximum: 1079),
    0x2f: AxisInfo(minimum: 0, maximum: 1), 0x35: AxisInfo(minimum: 0, maximum: 1919),
    0x36: AxisInfo(minimum: 0, maximum: 1079), 0x39: AxisInfo(minimum: 0, maximum: 65535),
  ]

  /// A pad on hid-generic: the second pair of axes is Z, RZ; triggers are switches.
  static let generic = EvdevNode(
    name: "Twin Pad", vendor: 0x0079, product: 0x0006, driver: "hid-generic",
    keys: CodeSet(0x120...0x12b), axes: [0, 1, 2, 5, 16, 17])

  /// xpad.c
  static let xbox = EvdevNode(
    name: "Microsoft X-Box One S pad", vendor: 0x045e, product: 0x02ea, driver: "xpad",
    keys: CodeSet(commonKeys.filter { $0 != 0x138 && $0 != 0x139 } + [167]),
    axes: [0, 1, 2, 3, 4, 5, 16, 17])

  static let switchProIMU = EvdevNode(
    name: "Pro Controller (IMU)", vendor: 0x057e, product: 0x2009, driver: "nintendo",
    properties: [6], axes: [0, 1, 2, 3, 4, 5], miscellaneous: [5])
  static let switchProIMUAxes = motionAxes(perG: 4096, perDegree: 14247)

  static let wiimoteAccelerometer = EvdevNode(
    name: "Nintendo Wii Remote Accelerometer", vendor: 0x057e, product: 0x0306,
    driver: "wiimote", axes: [3, 4, 5])
  static let wiimoteMotionPlus = EvdevNode(
    name: "Nintendo Wii Remote Motion Plus", vendor: 0x057e, product: 0x0306, driver: "wiimote",
    axes: [3, 4, 5])

  static let keyboard = EvdevNode(
    name: "AT Translated Set 2 keyboard", vendor: 1, product: 1, keys: CodeSet(1...127))

  static func motionAxes(perG: Int32, perDegree: Int32) -> [UInt16: AxisInfo] {
    var axes: [UInt16: AxisInfo] = [:]
    for code in UInt16(0)...2 {
      axes[code] = AxisInfo(minimum: -32768, maximum: 32768, fuzz: 16, resolution: perG)
    }
    for code in UInt16(3)...5 {
      axes[code] = AxisInfo(
        minimum: -2_097_152, maximum: 2_097_152, fuzz: 16, resolution: perDegree)
    }
    return axes
  }
}

/// What a test looks at of a control event.
struct Seen: Equatable, CustomStringConvertible {
  var name: String
  var value: Double

  init(_ name: String, _ value: Double = 0) {
    self.name = name
    self.value = value
  }

  var description: String { "\(name)=\(value)" }
}

extension EventBuffer {
  /// What was added since the last call.
  func take() -> [Seen] {
    defer { removeAll() }
    return (0..<count).map { index in
      let event = self.event(at: index)
      switch event.kind {
      case .value:
        return Seen(
          Control.numbered(event.control)?.name
            ?? EvdevCodeNames.name(type: event.control.rawType, code: event.control.rawCode) ?? "?",
          event.value)
      case .frameEnd: return Seen("end")
      case .lost: return Seen("lost", event.value)
      case .raw: return Seen("raw", event.value)
      default: return Seen("?")
      }
    }
  }

}

/// EV_ABS, EV_KEY, EV_MSC and EV_SYN.
func axis(_ code: UInt16, _ value: Int32, at time: Nanoseconds = 1) -> EvdevEvent {
  EvdevEvent(time: time, type: 3, code: code, value: value)
}
func key(_ code: UInt16, _ value: Int32, at time: Nanoseconds = 1) -> EvdevEvent {
  EvdevEvent(time: time, type: 1, code: code, value: value)
}
func stamp(_ microseconds: UInt32, at time: Nanoseconds = 1) -> EvdevEvent {
  EvdevEvent(time: time, type: 4, code: 5, value: Int32(bitPattern: microseconds))
}
func report(at time: Nanoseconds = 1) -> EvdevEvent {
  EvdevEvent(time: time, type: 0, code: 0, value: 0)
}
