internal import Events
internal import Widgets

/// The names that a mapping declares, over all its files.
struct Declarations {
  struct Device {
    var name: Name
    /// nil where the kind was not understood.
    var kind: ControlTable.Kind?
    var description: DeviceDeclaration?
  }

  struct Widget {
    var name: Name
    /// nil where the kind was not understood.
    var kind: WidgetTable.Kind?
    var description: WidgetDescription?
  }

  private(set) var devices: [Device] = []
  private(set) var widgets: [Widget] = []
  private(set) var layers: [Name] = []
  private(set) var deviceNames: [String] = []
  private(set) var widgetNames: [String] = []
  private(set) var csd: (path: Name, file: Int)?

  private var deviceIndex: [String: Int] = [:]
  private var widgetIndex: [String: Int] = [:]
  private var layerNames: Set<String> = []
  /// Devices, widgets and layers share one set of names.
  private var firstPlaces: [String: Span] = [:]
  private let diagnostics: DiagnosticList

  init(_ statements: [Statement], diagnostics: DiagnosticList) {
    self.diagnostics = diagnostics
    for statement in statements {
      switch statement.kind {
      case .csd(let path): declareCSD(path)
      case .device(let name, let kind, let attributes):
        let device = DeviceChecker(name: name, diagnostics: diagnostics)
          .device(kind: kind, attributes: attributes)
        guard isNew(name) else { continue }
        deviceIndex[name.text] = devices.count
        devices.append(device)
        deviceNames.append(name.text)
      case .widget(let kind, let name, let attributes):
        let widget = WidgetChecker(name: name, diagnostics: diagnostics)
          .widget(kind: kind, attributes: attributes)
        guard isNew(name) else { continue }
        widgetIndex[name.text] = widgets.count
        widgets.append(widget)
        widgetNames.append(name.text)
      case .layer(let name, _, _):
        guard isNew(name) else { continue }
        layerNames.insert(name.text)
        layers.append(name)
      case .include, .route: break
      }
    }
  }

  func device(_ name: String) -> Int? { deviceIndex[name] }
  func widget(_ name: String) -> Int? { widgetIndex[name] }
  func hasLayer(_ name: String) -> Bool { layerNames.contains(name) }

  private mutating func isNew(_ name: Name) -> Bool {
    if let first = firstPlaces[name.text] {
      diagnostics.report(
        .duplicateName, at: name.span, "The name `\(name.text)` is declared twice.",
        hint: "choose another name for one of them", related: ("First declared here.", first))
      return false
    }
    firstPlaces[name.text] = name.span
    return true
  }

  private mutating func declareCSD(_ path: Name) {
    if let first = csd {
      diagnostics.report(
        .secondCSD, at: path.span, "The mapping already names a CSD.",
        hint: "keep one of the two csd lines", related: ("First named here.", first.path.span))
      return
    }
    csd = (path, path.span.file)
  }
}

/// Reports attributes that are unknown or given twice.
struct AttributeChecker {
  let diagnostics: DiagnosticList

  /// The attributes by name, without those that were reported; `owner` begins the sentence.
  func known(_ attributes: [Attribute], _ names: [String], owner: String) -> [Attribute] {
    var seen: [String: Span] = [:]
    return attributes.filter { attribute in
      let name = attribute.name.text
      guard names.contains(name) else {
        diagnostics.report(
          .unknownAttribute, at: attribute.name.span, "\(owner) has no attribute `\(name)`.",
          hint: Suggestion.hint(for: name, in: names)
            ?? (names.isEmpty ? nil : "it has \(names.map { "\($0)=" }.joined(separator: " "))"))
        return false
      }
      if let first = seen[name] {
        diagnostics.report(
          .duplicateAttribute, at: attribute.span, "The attribute `\(name)` is given twice.",
          related: ("First given here.", first))
        return false
      }
      seen[name] = attribute.span
      return true
    }
  }

  /// Whether the value of `attribute` is one of `words`; reported if not.
  func isOne(of words: [String], _ attribute: Attribute) -> Bool {
    let value = attribute.value
    if words.contains(value.text) { return true }
    diagnostics.report(
      .badValue, at: value.span,
      "`\(attribute.name.text)=` takes \(list(words)), not `\(value.text)`.",
      hint: Suggestion.hint(for: value.text, in: words))
    return false
  }

  private func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
  }
}
