internal import Events

/// Turns a checked mapping into the description that programs are compiled from.
struct Lowering {
  private var description = MappingDescription()
  /// The devices that lines name without a declaration, by name.
  private var undeclared: [String: Int] = [:]
  private let files: SourceFiles

  /// The description of `mapping`, which must be free of errors.
  static func description(of mapping: CheckedMapping, files: SourceFiles) -> MappingDescription {
    var lowering = Lowering(files: files)
    let declarations = mapping.declarations
    lowering.description.devices = declarations.devices.compactMap(\.description)
    lowering.description.widgets = declarations.widgets.compactMap(\.description)
    lowering.description.csd = declarations.csd.map {
      FilePath.resolve($0.path.text, relativeTo: files[$0.file].name)
    }
    for route in mapping.routes { lowering.add(route) }
    lowering.description.addStandardChannels()
    return lowering.description
  }

  private init(files: SourceFiles) { self.files = files }

  private mutating func add(_ route: CheckedRoute) {
    let device = index(of: route.source.device)
    let components = route.source.components
    let line = RouteDescription.Line(
      file: files[route.span.file].name,
      number: files[route.span.file].position(of: route.span.start).line)
    for (number, component) in components.enumerated() {
      // A vector is distributed; a number goes to all targets.
      let targets = components.count > 1 ? [route.targets[number]] : route.targets
      description.routes.append(
        RouteDescription(
          identity: identity(route, component, targets), device: device,
          control: component.control, range: component.range, isAngle: component.isAngle,
          stages: stages(route, number), targets: targets.map(\.description), line: line))
    }
  }

  private func stages(_ route: CheckedRoute, _ number: Int) -> [Stage] {
    route.stages.map { stage in
      switch stage {
      case .plain(let stage): stage
      case .radialDeadzone(let size):
        .radialDeadzone(size, sibling: route.source.components[1 - number].control)
      }
    }
  }

  private func identity(
    _ route: CheckedRoute, _ component: ResolvedSource.Component,
    _ targets: [TargetChecker.CheckedTarget]
  ) -> String {
    let source = ["\(route.source.deviceName).\(component.name)"] + route.stageNames
    return source.joined(separator: " | ") + " -> "
      + targets.map(\.identity).joined(separator: ", ")
  }

  private mutating func index(of device: ResolvedSource.Device) -> Int {
    switch device {
    case .declared(let index): return index
    case .undeclared(let name):
      if let index = undeclared[name] { return index }
      let role: DeviceDeclaration.Role =
        name == "motion" ? .motion : .first(DeviceDescription.Kind(rawValue: name) ?? .gamepad)
      undeclared[name] = description.devices.count
      description.devices.append(DeviceDeclaration(name: name, role: role))
      return description.devices.count - 1
    }
  }
}
