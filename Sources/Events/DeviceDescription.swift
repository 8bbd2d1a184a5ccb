/// What is known of one physical device: the same for live devices and for those of a take.
public struct DeviceDescription: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case gamepad, imu, midi, evdev
  }

  public var kind: Kind
  /// What the device calls itself.
  public var name: String
  /// The known model by its ids (`dualsense`, `switch-pro` …), or nil.
  public var model: String?
  public var vendor: UInt16?
  public var product: UInt16?
  /// The device's unique identifier (a MAC address, mostly), or empty.
  public var uniq: String
  public var serial: String
  /// Where it is plugged in, stable over replugs of the same socket.
  public var path: String
  /// The controls that it has, by the language's names or groups (`left`, `gyro`, `touch`); empty if not known.
  public var controls: [String]

  public init(
    kind: Kind, name: String, model: String? = nil, vendor: UInt16? = nil, product: UInt16? = nil,
    uniq: String = "", serial: String = "", path: String = "", controls: [String] = []
  ) {
    self.kind = kind
    self.name = name
    self.model = model
    self.vendor = vendor
    self.product = product
    self.uniq = uniq
    self.serial = serial
    self.path = path
    self.controls = controls
  }
}
