public import Events

/// What CONTROL learns about devices, for the user.
public enum InputReport: Sendable {
  /// A device came; `names` are those that the mapping has for it, `identity` is what tells it from its twins.
  case plugged(DeviceIndex, DeviceDescription, names: [String], identity: String)
  case unplugged(DeviceIndex, DeviceDescription)
  /// A node cannot be read, and has not become readable for a while; a sentence with the way out.
  case unreadable(path: String, String)
  /// That is over.
  case readable(path: String)
}
