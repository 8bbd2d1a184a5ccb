internal import Events

/// What a line's values are measured in.
enum SignalUnit {
  case none, radians, radiansPerSecond, gravity
  /// Whatever the target speaks, or not known.
  case any
}

/// Where a route's values come from, once the names are looked up.
struct ResolvedSource {
  enum Device: Hashable {
    case declared(Int)
    /// One of the names that are always there.
    case undeclared(String)
  }

  struct Component {
    var control: ControlID
    var range: ValueRange
    var isAngle: Bool
    /// The control's name, without the device.
    var name: String
  }

  var device: Device
  var deviceName: String
  /// One for a number, several for a vector.
  var components: [Component]
  var unit: SignalUnit

  /// Whether the range is fixed by the language. A raw axis has the device's own, which shows when it is plugged in.
  var hasKnownRange: Bool {
    !components[0].control.isRaw || components[0].control.rawType == 0x01
  }
}

/// Looks up the names of sources.
struct SourceResolver {
  let declarations: Declarations
  let diagnostics: DiagnosticList

  /// The source, or nil when it cannot be used; then the reason is reported.
  func resolve(_ source: SourceSyntax) -> ResolvedSource? {
    switch source {
    case .channel(let name):
      diagnostics.reportMissing("A channel as a source", at: name.span)
      return nil
    case .path(let name, let control, _):
      guard let (device, path) = split(name, control) else { return nil }
      return resolve(device, path, source)
    }
  }

  /// Reports a device, or a control of it, that is not there; for targets that name one.
  func check(_ device: Name, _ control: Name?) {
    guard let (device, path) = split(device, control), let kind = kind(of: device),
      let control = path.control,
      case .unknown(let sentence, let hint) = ControlTable.read(control.text, of: kind)
    else { return }
    diagnostics.report(.unknownControl, at: control.span, sentence, hint: hint)
  }

  private func kind(of device: ResolvedSource.Device) -> ControlTable.Kind? {
    switch device {
    case .declared(let index): declarations.devices[index].kind
    case .undeclared(let name): ControlTable.Kind(rawValue: name)
    }
  }

  private struct Path {
    var deviceName: String
    /// nil for a device alone.
    var control: Name?
  }

  /// The device of a path and what stands behind it; declared names go before those that are always there.
  private func split(
    _ name: Name, _ control: Name?
  ) -> (device: ResolvedSource.Device, path: Path)? {
    if name.isQuoted {
      if let index = declarations.device(name.text) {
        return (.declared(index), Path(deviceName: name.text, control: control))
      }
    } else {
      for end in name.text.indices.filter({ name.text[$0] == "." }).reversed() {
        let prefix = String(name.text[..<end])
        if let index = declarations.device(prefix) {
          let rest = String(name.text[name.text.index(after: end)...])
          return (.declared(index), Path(deviceName: prefix, control: self.rest(rest, of: name)))
        }
      }
      if let index = declarations.device(name.text) {
        return (.declared(index), Path(deviceName: name.text, control: nil))
      }
      let first = String(name.text.prefix { $0 != "." })
      if DeviceTable.undeclared.contains(first) {
        let rest = name.text.dropFirst(first.count + 1)
        return (
          .undeclared(first),
          Path(deviceName: first, control: rest.isEmpty ? nil : self.rest(String(rest), of: name))
        )
      }
    }
    if control == nil, declarations.widget(name.text) != nil {
      diagnostics.reportMissing("A widget as a source", at: name.span)
      return nil
    }
    reportUnknown(name)
    return nil
  }

  /// The last part of a name, with the place of its letters; over a repeated brace the whole name's.
  private func rest(_ rest: String, of name: Name) -> Name {
    var span = name.span
    if span.end - span.start == name.text.utf8.count { span.start = span.end - rest.utf8.count }
    return Name(text: rest, isQuoted: false, span: span)
  }

  private func reportUnknown(_ name: Name) {
    let first = String(name.text.prefix { $0 != "." })
    let known = declarations.deviceNames + DeviceTable.undeclared
    if !name.isQuoted, case .controls = ControlTable.read(name.text, of: .gamepad) {
      diagnostics.report(
        .unknownDevice, at: name.span, "`\(name.text)` stands without its device.",
        hint: "write gamepad.\(name.text), or the name of a declared device before the dot")
      return
    }
    let hint =
      diagnostics.hint(for: name.isQuoted ? name.text : first, in: known)
      ?? (name.text.contains(".")
        ? nil : diagnostics.hint(for: name.text, in: declarations.widgetNames))
      ?? "declare it: device \(name.isQuoted ? "\"\(name.text)\"" : first) \(probableKind(of: name))"
    var span = name.span
    if !name.isQuoted, span.end - span.start == name.text.utf8.count {
      span.end = span.start + first.utf8.count
    }
    diagnostics.report(
      .unknownDevice, at: span,
      "There is no device `\(name.isQuoted ? name.text : first)` in this mapping.", hint: hint)
  }

  /// The kind of device that a control of this name speaks for.
  private func probableKind(of name: Name) -> String {
    guard let dot = name.text.firstIndex(of: ".") else { return "gamepad" }
    let control = name.text[name.text.index(after: dot)...].lowercased()
    return MIDIControls.read(control) == .unknown ? "gamepad" : "midi"
  }

  private func resolve(
    _ device: ResolvedSource.Device, _ path: Path, _ source: SourceSyntax
  ) -> ResolvedSource? {
    // Without its kind nothing can be said of a control, and the kind is already reported.
    guard let kind = kind(of: device) else { return nil }
    guard let control = path.control else {
      reportAlone(kind, path, source)
      return nil
    }
    switch ControlTable.read(control.text, of: kind) {
    case .unknown(let sentence, let hint):
      diagnostics.report(.unknownControl, at: control.span, sentence, hint: hint)
      return nil
    case .notInThisVersion:
      if case .declared = device, !isWorking(kind) { return nil }
      diagnostics.reportMissing(
        isWorking(kind) ? "The control `\(control.text)`" : "The device `\(path.deviceName)`",
        at: isWorking(kind) ? control.span : source.span)
      return nil
    case .raw(let id):
      return result(
        device, path,
        [
          ResolvedSource.Component(
            control: id, range: .unipolar, isAngle: false, name: control.text)
        ], kind, source)
    case .controls(let controls):
      return result(
        device, path,
        controls.map {
          ResolvedSource.Component(
            control: $0.id, range: $0.range, isAngle: $0.isAngle, name: $0.name)
        }, kind, source)
    }
  }

  private func isWorking(_ kind: ControlTable.Kind) -> Bool {
    kind == .motion || DeviceTable.workingKinds.contains(kind.rawValue)
  }

  private func result(
    _ device: ResolvedSource.Device, _ path: Path, _ components: [ResolvedSource.Component],
    _ kind: ControlTable.Kind, _ source: SourceSyntax
  ) -> ResolvedSource? {
    if case .path(_, _, let keys?) = source {
      diagnostics.report(
        .badStatement, at: keys.span, "Only the notes of a device have a range of keys.",
        hint: "to limit the values, write | from a..b")
      return nil
    }
    if !isWorking(kind) {
      // A declaration says so itself.
      if case .undeclared = device {
        diagnostics.reportMissing("The device `\(path.deviceName)`", at: source.span)
      }
      return nil
    }
    return ResolvedSource(
      device: device, deviceName: path.deviceName, components: components,
      unit: unit(of: components[0]))
  }

  /// A device without a control: all MIDI of it.
  private func reportAlone(_ kind: ControlTable.Kind, _ path: Path, _ source: SourceSyntax) {
    if kind == .midi {
      if path.deviceName == "midi", declarations.device("midi") == nil {
        diagnostics.reportMissing("The device `midi`", at: source.span)
      }
      return
    }
    diagnostics.report(
      .unknownControl, at: source.span, "A control is missing behind `\(path.deviceName)`.",
      hint: "write \(path.deviceName).\(kind == .gamepad ? "left.x" : "accelerometer.x")")
  }

  private func unit(of component: ResolvedSource.Component) -> SignalUnit {
    if component.isAngle { return .radians }
    if component.control.isRaw { return .any }
    let name = component.name
    if name.hasPrefix("gyro") { return .radiansPerSecond }
    if ["accelerometer", "gravity", "acceleration"].contains(where: name.hasPrefix) {
      return .gravity
    }
    return .none
  }
}
