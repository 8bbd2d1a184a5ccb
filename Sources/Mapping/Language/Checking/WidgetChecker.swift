internal import Events
internal import Widgets

/// Checks one `widget` line.
struct WidgetChecker {
  let name: Name
  let diagnostics: DiagnosticList

  func widget(kind: Name, attributes: [Attribute]) -> Declarations.Widget {
    guard let known = WidgetTable.named(kind.text) else {
      let names = WidgetTable.kinds.map(\.name)
      diagnostics.report(
        .unknownWidgetKind, at: kind.span, "There is no kind of widget `\(kind.text)`.",
        hint: Suggestion.hint(for: kind.text, in: names)
          ?? "the kinds are \(names.joined(separator: ", "))")
      return Declarations.Widget(name: name, kind: nil, description: nil)
    }
    if !known.isWorking {
      diagnostics.reportMissing("The widget kind `\(kind.text)`", at: kind.span)
    }
    return Declarations.Widget(
      name: name, kind: known, description: description(known, kind, attributes))
  }

  private func description(
    _ kind: WidgetTable.Kind, _ kindName: Name, _ attributes: [Attribute]
  ) -> WidgetDescription? {
    let checker = AttributeChecker(diagnostics: diagnostics)
    let known = checker.known(attributes, WidgetTable.attributes, owner: "A widget")
    var given: [String: Attribute] = [:]
    for attribute in known { given[attribute.name.text] = attribute }

    if let merge = given["merge"], checker.isOne(of: WidgetTable.merges, merge),
      merge.value.text != "last"
    {
      diagnostics.reportMissing("`merge=\(merge.value.text)`", at: merge.span)
    }
    if let takeover = given["takeover"], checker.isOne(of: WidgetTable.takeovers, takeover),
      takeover.value.text != "jump"
    {
      diagnostics.reportMissing("`takeover=\(takeover.value.text)`", at: takeover.span)
    }
    var isLog = false
    if let scale = given["scale"], checker.isOne(of: WidgetTable.scales, scale) {
      isLog = scale.value.text == "log"
    }
    let minimum = number(given["min"], default: 0)
    let maximum = number(given["max"], default: 1)
    let initial = number(given["default"], default: minimum)
    let step = given["step"].map { number($0, default: nil) }
    guard let minimum, let maximum, let initial else { return nil }

    guard minimum < maximum else {
      let blamed = given["max"] ?? given["min"]
      diagnostics.report(
        .emptyRange, at: blamed?.value.span ?? name.span,
        "The min of a widget is below its max, but \(minimum.shortestText) is not below \(maximum.shortestText).",
        hint: minimum == maximum ? nil : "to turn a control round, use | invert in its line")
      return nil
    }
    if isLog, minimum <= 0, let scale = given["scale"] {
      diagnostics.report(
        .logRange, at: scale.span, "`scale=log` needs a min above 0, not \(minimum.shortestText).",
        hint: given["min"] == nil ? "give min=" : nil)
      return nil
    }
    if initial < minimum || initial > maximum, let attribute = given["default"] {
      diagnostics.report(
        .defaultOutside, at: attribute.value.span,
        "The default \(initial.shortestText) lies outside of \(minimum.shortestText)..\(maximum.shortestText)."
      )
      return nil
    }
    if let attribute = given["step"], let step = step ?? nil, step <= 0 {
      diagnostics.report(.badValue, at: attribute.value.span, "A step is above 0.")
      return nil
    }
    return WidgetDescription.Kind(rawValue: kind.name).map {
      WidgetDescription(
        name: name.text, kind: $0, range: ValueRange(minimum, maximum), defaultValue: initial,
        step: step ?? nil, scale: isLog ? .log : .linear)
    }
  }

  /// The number of an attribute, `default` if it is not given, nil if it is no number.
  private func number(_ attribute: Attribute?, default value: Double?) -> Double? {
    guard let attribute else { return value }
    let text = attribute.value.text
    switch NumberText.read(text) {
    case .number(let number, ""): return number
    case .number(_, let unit):
      diagnostics.report(
        .wrongUnit, at: attribute.value.span, "The numbers of a widget have no unit.",
        hint: "write \(attribute.name.text)=\(text.dropLast(unit.count))")
    case .malformed(let sentence, let hint):
      diagnostics.report(.badNumber, at: attribute.value.span, sentence, hint: hint)
    case .word:
      diagnostics.report(
        .badValue, at: attribute.value.span, "`\(attribute.name.text)=` is a number, not `\(text)`."
      )
    }
    return nil
  }
}
