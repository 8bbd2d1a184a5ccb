internal import Events

/// Checks one target of a line.
struct TargetChecker {
  /// A target that the runtime can have, and the name that it has in the line's identity.
  struct CheckedTarget {
    var description: TargetDescription
    var identity: String
    /// Whether values go to it, so that `smooth` has something to glide.
    var takesValues: Bool
  }

  let declarations: Declarations
  let diagnostics: DiagnosticList
  let sources: SourceResolver
  private let widgetNames: NearNames

  init(_ declarations: Declarations, diagnostics: DiagnosticList, sources: SourceResolver) {
    self.declarations = declarations
    self.diagnostics = diagnostics
    self.sources = sources
    widgetNames = NearNames(declarations.widgetNames)
  }

  /// The target, or nil when it cannot be used; then the reason is reported.
  func check(_ target: TargetSyntax) -> CheckedTarget? {
    let attributes = attributes(of: target)
    switch target.kind {
    case .named(let name):
      if let index = declarations.widget(name.text) { return widget(index, name) }
      reportNearWidget(name)
      return channel(name)
    case .channel(let name): return channel(name)
    case .widget(let name):
      if let index = declarations.widget(name.text) { return widget(index, name) }
      reportUndeclared(name)
      return nil
    case .note(let instrument): return note(instrument, attributes)
    case .event: diagnostics.reportMissing("The target `event`", at: target.span)
    case .midi: diagnostics.reportMissing("The target `midi`", at: target.span)
    case .feedback(let device, let control):
      sources.check(device, control)
      diagnostics.reportMissing("The target `feedback`", at: target.span)
    case .recenter(let device, _):
      sources.check(device, nil)
      diagnostics.reportMissing("The target `recenter`", at: target.span)
    case .panic: diagnostics.reportMissing("The target `panic`", at: target.span)
    case .mute: diagnostics.reportMissing("The target `mute`", at: target.span)
    }
    return nil
  }

  private func attributes(of target: TargetSyntax) -> [String: Argument] {
    let word =
      switch target.kind {
      case .note: "note"
      case .midi: "midi"
      case .feedback: "feedback"
      default: ""
      }
    let known = AttributeChecker(diagnostics: diagnostics).known(
      target.attributes, TargetTable.entry(word).attributes,
      owner: word.isEmpty ? "This target" : "`\(word)`")
    return Dictionary(known.map { ($0.name.text, $0.argument) }) { first, _ in first }
  }

  private func channel(_ name: Name) -> CheckedTarget {
    CheckedTarget(description: .channel(name.text), identity: name.text, takesValues: true)
  }

  private func widget(_ index: Int, _ name: Name) -> CheckedTarget? {
    let widget = declarations.widgets[index]
    if let kind = widget.kind, !kind.isTarget {
      diagnostics.report(
        .notATarget, at: name.span,
        "The widget `\(name.text)` is a \(kind.name), which no line can move.",
        hint: "it shows its channel: write channel \(name.text)",
        related: ("Declared here.", widget.name.span))
      return nil
    }
    return CheckedTarget(description: .widget(index), identity: name.text, takesValues: true)
  }

  /// A plain channel whose name is a widget's but for one letter is probably meant to be the widget.
  private func reportNearWidget(_ name: Name) {
    guard !name.isQuoted, let index = widgetNames.index(near: name.text) else { return }
    let near = declarations.widgets[index]
    diagnostics.report(
      .nearlyAWidget, .warning, at: name.span,
      "No widget is called `\(name.text)`, so this is a plain channel.",
      hint: "did you mean `\(near.name.text)`? If not, write channel \(name.text)",
      related: ("A widget of nearly this name.", near.name.span))
  }

  private func reportUndeclared(_ name: Name) {
    let near = widgetNames.index(near: name.text).map { declarations.widgetNames[$0] }
    let hint =
      near.map { "did you mean `\($0)`?" }
      ?? diagnostics.hint(for: name.text, in: declarations.widgetNames)
    if let hint {
      diagnostics.report(
        .unknownWidget, at: name.span, "There is no widget `\(name.text)` in this mapping.",
        hint: hint)
    } else {
      diagnostics.reportMissing("A widget that the mapping does not declare", at: name.span)
    }
  }

  private func note(
    _ instrument: Argument, _ attributes: [String: Argument]
  ) -> CheckedTarget? {
    guard let name = self.instrument(instrument) else { return nil }
    var key = 60.0
    if let argument = attributes["key"] {
      guard let number = number(argument, "key") else { return nil }
      key = number
    }
    var velocity: Double?
    if let argument = attributes["velocity"] {
      guard let number = number(argument, "velocity") else { return nil }
      velocity = number
    }
    return CheckedTarget(
      description: .note(instrument: name, key: key, velocity: velocity),
      identity: "note \(name)", takesValues: false)
  }

  private func instrument(_ argument: Argument) -> String? {
    switch argument {
    case .string(let name) where !name.text.isEmpty: return name.text
    case .word(let name) where !name.text.contains(where: { "+-#".contains($0) }): return name.text
    case .number(let quantity) where quantity.unit == nil:
      if quantity.value >= 1, quantity.value == quantity.value.rounded(), quantity.value < 1e9 {
        return quantity.value.shortestText
      }
      diagnostics.report(
        .badValue, at: argument.span, "The number of an instrument is a whole number from 1.",
        hint: "Sonde numbers the held notes of an instrument by itself")
    default:
      diagnostics.report(
        .badArgument, at: argument.span, "`note` needs an instrument: its number or its name.",
        hint: "write: note 1 or note Blip")
    }
    return nil
  }

  private func number(_ argument: Argument, _ attribute: String) -> Double? {
    switch argument {
    case .number(let quantity):
      return RangeChecker(diagnostics: diagnostics).number(argument, of: "\(attribute)=")
        .map { _ in quantity.value }
    case .word(let name):
      if attribute == "key", let key = KeyName.number(of: name.text) { return Double(key) }
      if name.text.contains(".") {
        if sources.resolve(.path(name, control: nil, keys: nil)) != nil {
          diagnostics.reportMissing("A control as `\(attribute)=`", at: name.span)
        }
        return nil
      }
      fallthrough
    default:
      diagnostics.report(
        .badValue, at: argument.span,
        attribute == "key"
          ? "`key=` is a number or a key." : "`\(attribute)=` is a number.",
        hint: attribute == "key" ? "for example key=60 or key=C4" : "for example \(attribute)=100")
      return nil
    }
  }
}
