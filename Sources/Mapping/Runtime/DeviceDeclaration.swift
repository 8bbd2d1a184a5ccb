public import Events

/// A device that lines of a mapping name: declared there, or one of the names that are always there.
public struct DeviceDeclaration: Sendable, Equatable {
  public enum Role: Sendable, Equatable {
    /// `device NAME KIND …`: claims the first matching device for itself.
    case declared(DeviceDescription.Kind)
    /// The undeclared `gamepad`, `imu`: the first present of that kind, claimed by others or not.
    case first(DeviceDescription.Kind)
    /// The undeclared `motion`: the first present that has motion sensors.
    case motion
    /// The undeclared `midi`: every MIDI device.
    case allMIDI
  }

  /// What a device must be to match; nil matches anything, text ones are globs (`*` and `?`).
  public struct Matchers: Sendable, Equatable {
    public var name: String?
    public var model: String?
    public var uniq: String?
    public var serial: String?
    public var path: String?
    public var vendor: UInt16?
    public var product: UInt16?
    /// Counts the matching devices from 1, in the order of their identities.
    public var index: Int?

    public init(
      name: String? = nil, model: String? = nil, uniq: String? = nil, serial: String? = nil,
      path: String? = nil, vendor: UInt16? = nil, product: UInt16? = nil, index: Int? = nil
    ) {
      self.name = name
      self.model = model
      self.uniq = uniq
      self.serial = serial
      self.path = path
      self.vendor = vendor
      self.product = product
      self.index = index
    }
  }

  /// The name before the dot in the mapping's lines.
  public var name: String
  public var role: Role
  public var matchers: Matchers

  public init(name: String, role: Role, matchers: Matchers = Matchers()) {
    self.name = name
    self.role = role
    self.matchers = matchers
  }
}
