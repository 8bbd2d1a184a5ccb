public import Events
public import Widgets

/// A whole mapping, checked and resolved: what the language comes down to, and what a program is compiled from.
public struct MappingDescription: Sendable, Equatable {
  /// The devices that lines name, the undeclared ones among them only if a line uses them.
  public var devices: [DeviceDeclaration]
  public var widgets: [WidgetDescription]
  public var routes: [RouteDescription]
  /// The path of the CSD that the mapping names, or nil.
  public var csd: String?

  public init(
    devices: [DeviceDeclaration] = [], widgets: [WidgetDescription] = [],
    routes: [RouteDescription] = [], csd: String? = nil
  ) {
    self.devices = devices
    self.widgets = widgets
    self.routes = routes
    self.csd = csd
  }
}

extension MappingDescription {
  /// The channels that a motion device feeds by itself, as on a phone, and the controls that feed them.
  public static let standardChannels: [(channel: String, control: ControlID)] = [
    ("accelerometerX", .accelerometerX), ("accelerometerY", .accelerometerX.offset(by: 1)),
    ("accelerometerZ", .accelerometerX.offset(by: 2)),
    ("gyroX", .gyroX), ("gyroY", .gyroX.offset(by: 1)), ("gyroZ", .gyroX.offset(by: 2)),
    ("attitudeRoll", .attitudeRoll), ("attitudePitch", .attitudePitch),
    ("attitudeYaw", .attitudeYaw),
  ]

  /// Adds a line from `motion` for every standard channel that no line or widget of the mapping has for itself.
  public mutating func addStandardChannels() {
    var taken = Set(widgets.map(\.name))
    for case .channel(let name) in routes.flatMap(\.targets) { taken.insert(name) }
    let missing = MappingDescription.standardChannels.filter { !taken.contains($0.channel) }
    if missing.isEmpty { return }
    let motion: Int
    if let index = devices.firstIndex(where: { $0.role == .motion }) {
      motion = index
    } else {
      motion = devices.count
      devices.append(DeviceDeclaration(name: "motion", role: .motion))
    }
    for (channel, id) in missing {
      guard let control = Control.numbered(id) else { continue }
      routes.append(
        RouteDescription(
          identity: "standard \(channel)", device: motion, control: id, range: control.range,
          isAngle: control.isAngle, targets: [.channel(channel)], isImplicit: true))
    }
  }
}

extension MappingDescription {
  /// The names of the devices that the mapping's own lines use or declare, without those that Sonde added.
  public var namedDevices: [String] {
    let used = Set(routes.filter { !$0.isImplicit }.map(\.device))
    return devices.indices.filter { index in
      if case .declared = devices[index].role { return true }
      return used.contains(index)
    }.map { devices[$0].name }
  }
}
