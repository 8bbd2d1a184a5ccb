/// The kinds of devices, the attributes of their declarations, and the models known by name.
public enum DeviceTable {
  public struct Attribute: Sendable {
    public let name: String
    /// One line for the reference.
    public let summary: String
    /// The kinds of device that it belongs to.
    public let kinds: [String]
    /// Whether this version of Sonde has it.
    public let isWorking: Bool
  }

  /// `gamepad`, `imu`, `midi`, `evdev`.
  public static var kinds: [String] { ReservedWords.deviceKinds }
  static let workingKinds = ["gamepad"]

  /// The devices that are there without a declaration.
  public static let undeclared = ["gamepad", "imu", "motion", "midi"]

  public static let attributes: [Attribute] = [
    attribute("name", "What the device calls itself; * and ? stand for any text.", works: true),
    attribute("model", "A known model: dualsense, switch-pro.", works: true),
    attribute("uniq", "The unique identifier, mostly a Bluetooth address.", works: true),
    attribute("serial", "The serial number.", works: true),
    attribute("vendor", "The vendor's number, four hexadecimal digits.", works: true),
    attribute("product", "The product's number, four hexadecimal digits.", works: true),
    attribute("path", "Where it is plugged in.", works: true),
    attribute("index", "The how-manieth of the matching ones, from 1.", works: true),
    attribute(
      "frame", "How the sensor lies: phone, sony, nintendo, wiimote …", ["gamepad", "imu"]),
    attribute(
      "mount", "The matrix from sensor to device: \"0 1 0; -1 0 0; 0 0 1\".", ["gamepad", "imu"]),
    attribute("calibrate", "no: the sensor's rest is not measured.", ["gamepad", "imu"]),
    attribute("grab", "yes: no other program sees the device.", ["gamepad", "evdev", "imu"]),
    attribute(
      "takeover", "How its controls take widgets over: jump, pickup, catch.",
      ["midi", "gamepad", "imu", "evdev"]),
    attribute("mpe", "The MPE zones: lower, upper, both.", ["midi"]),
    attribute("pair", "any: the fine half of a 14-bit pair may have any number.", ["midi"]),
    attribute("accelerometer", "The IIO device of this sensor.", ["imu"]),
    attribute("gyro", "The IIO device of this sensor.", ["imu"]),
    attribute("magnetometer", "The IIO device of this sensor.", ["imu"]),
  ]

  static let frames = ["phone", "sony", "nintendo", "wiimote", "sideways-left", "sideways-right"]

  /// The names that `model=` takes: those that the evdev driver knows by their ids.
  public static let models = [
    "dualshock3", "dualshock4", "dualsense", "dualsense-edge", "joycon-left", "joycon-right",
    "switch-pro", "joycon-grip", "switch-snes", "switch-n64", "wiimote", "steam-controller",
    "steam-deck", "xbox-360", "xbox-one", "xbox-elite", "xbox-series", "stadia",
  ]

  private static func attribute(
    _ name: String, _ summary: String, _ kinds: [String] = ReservedWords.deviceKinds,
    works: Bool = false
  ) -> Attribute {
    Attribute(name: name, summary: summary, kinds: kinds, isWorking: works)
  }
}
