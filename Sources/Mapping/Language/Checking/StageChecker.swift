internal import Events

/// Checks the stages of one line and turns them into what the runtime compiles.
struct StageChecker {
  let diagnostics: DiagnosticList
  private let ranges: RangeChecker
  /// What the values are measured in at this point of the line.
  private var unit: SignalUnit
  /// How many numbers the source gives; nil when it is not known.
  private let count: Int?
  private(set) var stages: [CheckedStage] = []
  private var last: StageTable.Entry?
  /// The `smooth` or `slew` of the line.
  private(set) var controlStage: Name?

  /// Whether the range is known at this point of the line.
  private(set) var hasKnownRange: Bool

  /// A stage for all numbers of a vector; the pair's other control is filled in for each of them.
  enum CheckedStage {
    case plain(Stage)
    case radialDeadzone(Double)
  }

  /// - Parameter source: where the values come from, or nil when it is not known.
  init(_ source: ResolvedSource?, diagnostics: DiagnosticList) {
    unit = source?.unit ?? .any
    count = source?.components.count
    hasKnownRange = source?.hasKnownRange ?? true
    self.diagnostics = diagnostics
    ranges = RangeChecker(diagnostics: diagnostics)
  }

  mutating func check(_ syntax: StageSyntax) {
    let name = syntax.name
    guard let entry = StageTable.named(name.text) else {
      diagnostics.report(
        .unknownStage, at: name.span, "There is no stage `\(name.text)`.",
        hint: Suggestion.hint(for: name.text, in: StageTable.all.map(\.name)))
      unit = .any
      return
    }
    checkOrder(entry, name)
    if entry.group == .control { controlStage = name }
    do throws(SyntaxError) {
      let match = try ArgumentMatcher.match(syntax, entry)
      if entry.isWorking {
        append(entry, match, syntax)
      } else {
        checkMissing(entry, match, syntax)
      }
    } catch {
      diagnostics.report(error.id, at: error.span, error.sentence, hint: error.hint)
    }
    if !["from", "invert", "abs", "deadzone", "smooth"].contains(entry.name) { unit = .any }
  }

  private mutating func checkOrder(_ entry: StageTable.Entry, _ name: Name) {
    defer { last = entry }
    guard let last else { return }
    if entry.group < last.group {
      let rule = last.group == .control ? "comes last" : "looks at the target"
      diagnostics.report(
        .stageOrder, at: name.span,
        "`\(entry.name)` cannot stand behind `\(last.name)`, which \(rule).",
        hint: "write | \(entry.name) before | \(last.name)")
    } else if entry.group == .control, last.name == entry.name {
      diagnostics.report(
        .stageOrder, at: name.span, "`\(entry.name)` stands twice.", hint: "remove one of them")
    }
  }

  /// `to`, `invert` and `deadzone` work on the whole range, which must be known by then.
  private mutating func checkRange(_ entry: StageTable.Entry, _ syntax: StageSyntax) {
    if hasKnownRange || ["abs", "smooth"].contains(entry.name) { return }
    hasKnownRange = true
    if entry.name == "from" { return }
    diagnostics.reportMissing(
      "`\(entry.name)` on the device's own range", at: syntax.span,
      hint: "give the range first: | from a..b | \(entry.name)")
  }

  private mutating func append(
    _ entry: StageTable.Entry, _ match: ArgumentMatcher.Match, _ syntax: StageSyntax
  ) {
    checkRange(entry, syntax)
    switch entry.name {
    case "invert": stages.append(.plain(.invert))
    case "abs": stages.append(.plain(.abs))
    case "from":
      if let range = from(match.values["a..b"]!) { stages.append(.plain(.from(range))) }
    case "to":
      if let stage = to(match) { stages.append(.plain(stage)) }
    case "deadzone":
      if let stage = deadzone(match, syntax) { stages.append(stage) }
    case "smooth":
      if case .number(let time)? = match.values["t"] {
        stages.append(.plain(.smooth(seconds: time.value * (time.unit?.factor ?? 1))))
      }
    default: diagnostics.reportMissing("The stage `\(entry.name)`", at: syntax.span)
    }
  }

  private func from(_ argument: Argument) -> ValueRange? {
    guard let range = ranges.signalRange(argument, unit) else { return nil }
    if range.low < range.high { return range }
    if range.low == range.high {
      reportEmpty(argument, "from")
    } else {
      diagnostics.report(
        .emptyRange, at: argument.span,
        "The range of `from` runs from its lower end to its higher end.",
        hint: "swap the ends; to turn the value round, add | invert")
    }
    return nil
  }

  private func reportEmpty(_ argument: Argument, _ stage: String) {
    diagnostics.report(
      .emptyRange, at: argument.span, "The two ends of this range are equal.",
      hint: "write \(stage) a..b with different ends")
  }

  private func to(_ match: ArgumentMatcher.Match) -> Stage? {
    let argument = match.values["a..b"]!
    let isLog = match.words.contains("log")
    let isDecibels = match.words.contains("db")
    guard let range = ranges.targetRange(argument, decibels: isDecibels) else { return nil }
    if range.low == range.high {
      reportEmpty(argument, "to")
      return nil
    }
    if isLog, min(range.low, range.high) <= 0 {
      diagnostics.report(
        .logRange, at: argument.span, "`log` needs both ends above 0.",
        hint: "choose a small end above 0, such as 0.01, or use pow")
      return nil
    }
    if isDecibels { return .to(range, .decibels) }
    if let power = match.values["n"] {
      guard let exponent = ranges.number(power, of: "pow") else { return nil }
      if exponent <= 0 {
        diagnostics.report(
          .badValue, at: power.span, "The power of `pow` is above 0.",
          hint: "to turn the value round, swap the ends of to")
        return nil
      }
      return .to(range, .pow(exponent))
    }
    return .to(range, isLog ? .log : .linear)
  }

  private func deadzone(
    _ match: ArgumentMatcher.Match, _ syntax: StageSyntax
  ) -> CheckedStage? {
    let argument = match.values["d"]!
    guard let size = ranges.number(argument, of: "deadzone") else { return nil }
    guard size >= 0, size < 1 else {
      diagnostics.report(
        .badValue, at: argument.span,
        "A deadzone is a part of the whole way: at least 0 and below 1.",
        hint: "for example deadzone 0.08")
      return nil
    }
    guard match.words.contains("radial") else { return .plain(.deadzone(size)) }
    if let count, count != 2 {
      diagnostics.report(
        .badArgument, at: syntax.span,
        "`radial` looks at both numbers of a pair, and this is no pair.",
        hint: "the pairs are left and right")
      return nil
    }
    return .radialDeadzone(size)
  }

  /// What this version cannot run is checked for its values as far as they can be wrong by themselves.
  private func checkMissing(
    _ entry: StageTable.Entry, _ match: ArgumentMatcher.Match, _ syntax: StageSyntax
  ) {
    if let range = match.values["a..b"] {
      guard let ends = ranges.signalRange(range, entry.name == "is" ? unit : .any) else { return }
      if ends.low > ends.high || (ends.low == ends.high && entry.name != "is") {
        reportEmpty(range, entry.name)
        return
      }
    }
    if case .word(let scale)? = match.values["NAME"], ScaleNames.steps[scale.text] == nil {
      diagnostics.report(
        .unknownScale, at: scale.span, "There is no musical scale `\(scale.text)`.",
        hint: Suggestion.hint(for: scale.text, in: ScaleNames.steps.keys)
          ?? "a scale of your own: scale \"0 2 3 7\"")
      return
    }
    diagnostics.reportMissing("The stage `\(entry.name)`", at: syntax.span)
  }
}
