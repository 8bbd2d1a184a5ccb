/// What an event node is, by its ids and capabilities: enough to say what it is for, without opening it.
public struct EvdevNode: Sendable, Equatable {
  /// What a node is to Sonde.
  public enum Role: String, Sendable, CaseIterable {
    /// Sticks, triggers, buttons.
    case pad
    /// Accelerometer, gyroscope.
    case motion
    /// The touchpad of a pad.
    case touchpad
  }

  public var name: String
  public var vendor: UInt16
  public var product: UInt16
  /// The kernel driver (`playstation`, `xpad`), or empty where it is not known.
  public var driver: String
  public var properties: CodeSet
  public var keys: CodeSet
  public var axes: CodeSet
  /// The miscellaneous codes (EV_MSC).
  public var miscellaneous: CodeSet

  public init(
    name: String, vendor: UInt16 = 0, product: UInt16 = 0, driver: String = "",
    properties: CodeSet = [], keys: CodeSet = [], axes: CodeSet = [], miscellaneous: CodeSet = []
  ) {
    self.name = name
    self.vendor = vendor
    self.product = product
    self.driver = driver
    self.properties = properties
    self.keys = keys
    self.axes = axes
    self.miscellaneous = miscellaneous
  }

  /// From the attributes of an input device in sysfs: `name`, `id/vendor`, `properties`, `capabilities/key` …
  public init(attributes: [String: String], driver: String) {
    func codes(_ attribute: String) -> CodeSet {
      attributes[attribute].flatMap { CodeSet(sysfs: $0) } ?? []
    }
    func identifier(_ attribute: String) -> UInt16 {
      attributes[attribute].flatMap { UInt16($0, radix: 16) } ?? 0
    }
    self.init(
      name: attributes["name"] ?? "", vendor: identifier("id/vendor"),
      product: identifier("id/product"), driver: driver, properties: codes("properties"),
      keys: codes("capabilities/key"), axes: codes("capabilities/abs"),
      miscellaneous: codes("capabilities/msc"))
  }

  /// What the node is to Sonde; nil for keyboards, mice, touchscreens, power buttons, which are never read.
  public var role: Role? {
    if isIgnored { return nil }
    // First, because a motion node may carry buttons too, and its axes must never become sticks.
    if MotionLayout(node: self) != nil { return .motion }
    if properties.contains(InputProperty.accelerometer) { return nil }
    if isTouchpad { return knownModel?.hasTouchpad == true ? .touchpad : nil }
    return isPad ? .pad : nil
  }

  /// What `model=` calls it, or nil.
  public var model: String? { knownModel?.name }

  var knownModel: KnownModel? { KnownModel.with(vendor: vendor, product: product) }

  private var isTouchpad: Bool {
    axes.contains(AxisCode.touchX) && axes.contains(AxisCode.touchY) && keys.contains(KeyCode.touch)
  }

  private var isPad: Bool {
    guard keys.containsAny(KeyCode.joystick) || keys.containsAny(KeyCode.gamepad) else {
      return false
    }
    // Keyboards, tablets and touchscreens whose descriptor lists joystick buttons too.
    let isKeyboard = [KeyCode.a, KeyCode.enter, KeyCode.space].allSatisfy { keys.contains($0) }
    if isKeyboard || keys.contains(KeyCode.toolPen) || keys.contains(KeyCode.touch) { return false }
    return axes.contains(AxisCode.x) || axes.contains(AxisCode.rx)
      || axes.contains(AxisCode.hat0X) || keys.containsAny(KeyCode.dpad) || model == "wiimote"
  }

  // Drawing tablets that carry the accelerometer property: wacom_wac.c, hid-udraw-ps3.c.
  private var isIgnored: Bool {
    vendor == 0x056a || (vendor == 0x20d6 && product == 0xcb17)
  }
}
