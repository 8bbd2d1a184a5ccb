internal import Events

/// Checks one `device` line.
struct DeviceChecker {
  let name: Name
  let diagnostics: DiagnosticList

  func device(kind: Name, attributes: [Attribute]) -> Declarations.Device {
    if !name.isQuoted, name.text == "motion" {
      diagnostics.report(
        .reservedName, at: name.span, "`motion` always means the first device with motion sensors.",
        hint: "choose another name for this device")
    }
    guard DeviceTable.kinds.contains(kind.text), let known = ControlTable.Kind(rawValue: kind.text)
    else {
      diagnostics.report(
        .unknownDeviceKind, at: kind.span, "There is no kind of device `\(kind.text)`.",
        hint: Suggestion.hint(for: kind.text, in: DeviceTable.kinds)
          ?? "the kinds are gamepad, imu, midi and evdev")
      // Taken for what was probably meant, so that what is wrong with its lines is told as well.
      let meant = Suggestion.nearest(to: kind.text, in: DeviceTable.kinds)
      return Declarations.Device(
        name: name, kind: meant.flatMap(ControlTable.Kind.init(rawValue:)), description: nil)
    }
    if !DeviceTable.workingKinds.contains(kind.text) {
      diagnostics.reportMissing("The device kind `\(kind.text)`", at: kind.span)
    }
    return Declarations.Device(
      name: name, kind: known, description: declaration(known, matchers(kind, attributes)))
  }

  private func declaration(
    _ kind: ControlTable.Kind, _ matchers: DeviceDeclaration.Matchers
  ) -> DeviceDeclaration? {
    DeviceDescription.Kind(rawValue: kind.rawValue).map {
      DeviceDeclaration(name: name.text, role: .declared($0), matchers: matchers)
    }
  }

  private func matchers(_ kind: Name, _ attributes: [Attribute]) -> DeviceDeclaration.Matchers {
    let names = DeviceTable.attributes.filter { $0.kinds.contains(kind.text) }.map(\.name)
    let checker = AttributeChecker(diagnostics: diagnostics)
    var matchers = DeviceDeclaration.Matchers()
    for attribute in checker.known(attributes, names, owner: "The device kind `\(kind.text)`") {
      let value = attribute.value
      if value.text.isEmpty {
        diagnostics.report(
          .badValue, at: value.span, "`\(attribute.name.text)=` is empty.",
          hint: "leave it out to match any")
        continue
      }
      switch attribute.name.text {
      case "name": matchers.name = value.text
      case "uniq": matchers.uniq = value.text
      case "serial": matchers.serial = value.text
      case "path": matchers.path = value.text
      case "model": matchers.model = model(value)
      case "vendor": matchers.vendor = hexadecimal(attribute)
      case "product": matchers.product = hexadecimal(attribute)
      case "index": matchers.index = index(value)
      default: checkMissing(attribute, checker)
      }
    }
    return matchers
  }

  private func model(_ value: Name) -> String? {
    if DeviceTable.models.contains(value.text) { return value.text }
    diagnostics.report(
      .unknownModel, at: value.span, "There is no known model `\(value.text)`.",
      hint: Suggestion.hint(for: value.text, in: DeviceTable.models)
        ?? "match the device by name= or by vendor= and product=")
    return nil
  }

  private func hexadecimal(_ attribute: Attribute) -> UInt16? {
    let text = attribute.value.text
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    if digits.allSatisfy(\.isHexDigit), let number = UInt16(digits, radix: 16) { return number }
    diagnostics.report(
      .badValue, at: attribute.value.span,
      "`\(attribute.name.text)=` is a number of up to four hexadecimal digits.",
      hint: "for example \(attribute.name.text)=054c")
    return nil
  }

  private func index(_ value: Name) -> Int? {
    if let number = Int(value.text), number >= 1, number <= 1000, !value.text.hasPrefix("+") {
      return number
    }
    diagnostics.report(
      .badValue, at: value.span, "`index=` counts the matching devices from 1.",
      hint: "the first one is index=1")
    return nil
  }

  /// Attributes that the language has and this version has not: their values are checked all the same.
  private func checkMissing(_ attribute: Attribute, _ checker: AttributeChecker) {
    switch attribute.name.text {
    case "frame": guard checker.isOne(of: DeviceTable.frames, attribute) else { return }
    case "calibrate": guard checker.isOne(of: ["no", "yes"], attribute) else { return }
    case "grab": guard checker.isOne(of: ["yes", "no"], attribute) else { return }
    case "takeover": guard checker.isOne(of: WidgetTable.takeovers, attribute) else { return }
    case "mpe": guard checker.isOne(of: ["lower", "upper", "both"], attribute) else { return }
    case "pair": guard checker.isOne(of: ["any"], attribute) else { return }
    case "mount": guard isMatrix(attribute.value) else { return }
    default: break
    }
    diagnostics.reportMissing("The attribute `\(attribute.name.text)=`", at: attribute.span)
  }

  private func isMatrix(_ value: Name) -> Bool {
    let rows = value.text.split(separator: ";").map { $0.split(separator: " ").map { Double($0) } }
    if rows.count == 3, rows.allSatisfy({ $0.count == 3 && !$0.contains(nil) }) { return true }
    diagnostics.report(
      .badValue, at: value.span, "`mount=` is a matrix of three rows of three numbers.",
      hint: "for example mount=\"0 1 0; -1 0 0; 0 0 1\"")
    return false
  }
}
