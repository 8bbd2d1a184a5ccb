internal import Events

/// Sorts the arguments of one stage into its shape.
struct ArgumentMatcher {
  /// The values by their names in the shape, and the words that were given.
  struct Match {
    var values: [String: Argument] = [:]
    var words: Set<String> = []
  }

  private let stage: String
  private let usage: String
  private let shape: ArgumentShape
  private let arguments: [Argument]
  private let end: Span
  private var index = 0
  private var match = Match()

  static func match(_ syntax: StageSyntax, _ stage: StageTable.Entry) throws(SyntaxError) -> Match {
    var matcher = ArgumentMatcher(syntax, stage)
    try matcher.take(stage.shape)
    if matcher.index < matcher.arguments.count {
      throw matcher.superfluous(matcher.arguments[matcher.index])
    }
    return matcher.match
  }

  private init(_ syntax: StageSyntax, _ stage: StageTable.Entry) {
    self.stage = stage.name
    usage = stage.usage
    shape = stage.shape
    arguments = syntax.arguments
    end = syntax.span.after
  }

  private var current: Argument? { index < arguments.count ? arguments[index] : nil }

  private mutating func take(_ shape: ArgumentShape) throws(SyntaxError) {
    switch shape {
    case .value(let name, let kind):
      guard let argument = current else { throw missing(kind.description) }
      guard kind.accepts(argument) else { throw wrong(argument, wanted: kind.description) }
      if kind == .time { try checkTime(argument) }
      if kind == .frequency { try checkFrequency(argument) }
      match.values[name] = argument
      index += 1
    case .word(let word):
      guard let argument = current else { throw missing("`\(word)`") }
      guard shape.canBegin(with: argument) else { throw wrong(argument, wanted: "`\(word)`") }
      match.words.insert(word)
      index += 1
    case .sequence(let parts):
      var position = 0
      while position < parts.count {
        if case .option = parts[position] {
          position = try takeOptions(parts, from: position)
        } else {
          try take(parts[position])
          position += 1
        }
      }
    case .choice(let parts):
      let wanted = parts.map { $0.usage }.joined(separator: ", ")
      guard let argument = current else { throw missing("one of: \(wanted)") }
      guard let part = parts.first(where: { $0.canBegin(with: argument) }) else {
        throw wrong(argument, wanted: "one of: \(wanted)")
      }
      try take(part)
    case .option(let part):
      if let argument = current, part.canBegin(with: argument) { try take(part) }
    }
  }

  /// Takes the run of options that begins at `start`, in any order, and returns the position behind it.
  private mutating func takeOptions(
    _ parts: [ArgumentShape], from start: Int
  ) throws(SyntaxError) -> Int {
    var open: [ArgumentShape] = []
    var position = start
    while position < parts.count, case .option(let part) = parts[position] {
      open.append(part)
      position += 1
    }
    while let argument = current,
      let next = open.firstIndex(where: { $0.canBegin(with: argument) })
    {
      try take(open.remove(at: next))
    }
    return position
  }

  private func missing(_ wanted: String) -> SyntaxError {
    SyntaxError(.badArgument, at: end, "`\(stage)` needs \(wanted).", hint: "write: \(usage)")
  }

  private func wrong(_ argument: Argument, wanted: String) -> SyntaxError {
    var hint = "write: \(usage)"
    if case .word(let name) = argument, let meant = Suggestion.hint(for: name.text, in: shape.words)
    {
      hint = meant
    }
    return SyntaxError(
      .badArgument, at: argument.span, "`\(stage)` needs \(wanted) here.", hint: hint)
  }

  private func superfluous(_ argument: Argument) -> SyntaxError {
    var hint = "write: \(usage)"
    if case .word(let name) = argument {
      if let meant = Suggestion.hint(for: name.text, in: shape.words) {
        hint = meant
      } else if StageTable.named(name.text) != nil {
        hint = "another stage begins with |: | \(name.text)"
      }
    }
    return SyntaxError(
      .badArgument, at: argument.span, "`\(stage)` takes nothing more here.", hint: hint)
  }

  private func checkTime(_ argument: Argument) throws(SyntaxError) {
    guard case .number(let quantity) = argument else { return }
    let number = quantity.value.shortestText
    guard let unit = quantity.unit else {
      throw SyntaxError(
        .missingUnit, at: quantity.span, "A time needs a unit.",
        hint: "write \(number)ms or \(number)s")
    }
    guard unit.isTime else {
      throw SyntaxError(
        .wrongUnit, at: quantity.span, "`\(unit.rawValue)` is not a unit of time.",
        hint: "write \(number)ms or \(number)s")
    }
    if quantity.value < 0 {
      throw SyntaxError(.badValue, at: quantity.span, "A time is not negative.")
    }
  }

  private func checkFrequency(_ argument: Argument) throws(SyntaxError) {
    guard case .number(let quantity) = argument, let unit = quantity.unit, unit != .hertz else {
      return
    }
    throw SyntaxError(
      .wrongUnit, at: quantity.span, "`\(unit.rawValue)` is not a unit of frequency.",
      hint: "write \(quantity.value.shortestText)Hz")
  }
}
