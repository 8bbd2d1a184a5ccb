/// What may stand behind the word of a stage, as a small grammar of its own.
indirect enum ArgumentShape: Sendable {
  /// A value, by the name that the reference gives it.
  case value(String, ValueKind)
  /// A word that is written as it is.
  case word(String)
  case sequence([ArgumentShape])
  case choice([ArgumentShape])
  /// May be left out; several in a row may come in any order.
  case option(ArgumentShape)

  enum ValueKind: Sendable, Equatable {
    case number
    /// A number with `ms` or `s`.
    case time
    /// A number that may carry `Hz`.
    case frequency
    case range
    case key
    case text
    case scale

    var description: String {
      switch self {
      case .number: "a number"
      case .time: "a time, such as 20ms"
      case .frequency: "a frequency"
      case .range: "a range, such as 0..1"
      case .key: "a key, such as C4"
      case .text: "a text in quotes"
      case .scale: "the name of a scale"
      }
    }
  }

  /// As the reference writes it: `a..b [log | pow n | db]`.
  var usage: String {
    switch self {
    case .value(let name, _): name
    case .word(let word): word
    case .sequence(let parts): parts.map(\.usage).joined(separator: " ")
    case .choice(let parts): parts.map(\.usage).joined(separator: " | ")
    case .option(let part): "[\(part.usage)]"
    }
  }

  /// All words of it, for suggestions.
  var words: [String] {
    switch self {
    case .value: []
    case .word(let word): [word]
    case .sequence(let parts), .choice(let parts): parts.flatMap(\.words)
    case .option(let part): part.words
    }
  }

  /// Whether `argument` can be its first.
  func canBegin(with argument: Argument) -> Bool {
    switch self {
    case .value(_, let kind): kind.accepts(argument)
    case .word(let word):
      if case .word(let name) = argument { name.text == word } else { false }
    case .sequence(let parts): parts.first?.canBegin(with: argument) ?? false
    case .choice(let parts): parts.contains { $0.canBegin(with: argument) }
    case .option(let part): part.canBegin(with: argument)
    }
  }
}

extension ArgumentShape.ValueKind {
  func accepts(_ argument: Argument) -> Bool {
    switch (self, argument) {
    case (.number, .number), (.time, .number), (.frequency, .number): true
    case (.range, .range(.number, .number, _)): true
    case (.key, .number), (.text, .string), (.scale, .string), (.scale, .word): true
    case (.key, .word(let name)): KeyName.number(of: name.text) != nil
    default: false
    }
  }
}
