/// The first thing in a line, or in one stage of it, that cannot be read.
struct SyntaxError: Error {
  var id: DiagnosticID
  var span: Span
  var sentence: String
  var hint: String?

  init(_ id: DiagnosticID, at span: Span, _ sentence: String, hint: String? = nil) {
    self.id = id
    self.span = span
    self.sentence = sentence
    self.hint = hint
  }
}

/// Takes the tokens of one line, and the pieces that all statements are made of.
struct TokenReader {
  private let tokens: [Token]
  private var index = 0

  init(_ tokens: [Token]) { self.tokens = tokens }

  var current: Token { tokens[index] }
  /// The token behind the current one.
  var following: Token { tokens[min(index + 1, tokens.count - 1)] }
  /// The token taken last; the current one at the start.
  var previous: Token { tokens[max(index - 1, 0)] }
  var isAtEnd: Bool { current.kind == .end }

  mutating func take() -> Token {
    let token = current
    if index < tokens.count - 1 { index += 1 }
    return token
  }

  /// Takes the current token if it is of `kind`.
  mutating func take(_ kind: Token.Kind) -> Token? { current.kind == kind ? take() : nil }

  /// Takes the current token if it is the word `word`.
  mutating func takeWord(_ word: String) -> Token? {
    current.kind == .word && current.text == word ? take() : nil
  }

  mutating func skip(to kinds: [Token.Kind]) {
    while !isAtEnd, !kinds.contains(current.kind) { index += 1 }
  }

  /// The error of a token that should have been `wanted`, naming what is wrong with the token itself first.
  func unexpected(_ wanted: String, hint: String? = nil) -> SyntaxError {
    let token = current
    switch token.kind {
    case .malformed(let id, let sentence, let ownHint):
      return SyntaxError(id, at: token.span, sentence, hint: ownHint)
    case .stray:
      return SyntaxError(
        .unexpectedCharacter, at: token.span,
        "The character \(token.description) has no meaning here.",
        hint: TokenReader.lookalikes[token.text] ?? hint)
    case .end:
      return SyntaxError(
        .badStatement, at: token.span, "The line ends where \(wanted) is expected.", hint: hint)
    default:
      return SyntaxError(
        .badStatement, at: token.span, "Here \(wanted) is expected, not \(token.description).",
        hint: hint)
    }
  }

  /// What word processors and other languages put in place of the language's own signs.
  private static let lookalikes: [String: String] = [
    "→": "the arrow is written ->", ">": "the arrow is written ->", "<": "feedback is written <->",
    "“": "quotes are straight: \"…\"", "”": "quotes are straight: \"…\"",
    "'": "quotes are double: \"…\"", "−": "minus is written -", "–": "minus is written -",
    "…": "a range is written a..b", "°": "degrees are written 90deg",
    "\u{A0}": "this is a no-break space; write a plain blank",
    "\\": "a \\ joins the next line only at the very end of a line",
    ";": "a comment begins with #", "/": "a comment begins with #; paths are quoted",
  ]

  /// A name, quoted or bare. `what` says in a diagnostic whose name it is.
  mutating func name(_ what: String, allowsReserved: Bool = false) throws(SyntaxError) -> Name {
    let token = current
    switch token.kind {
    case .string:
      if token.text.isEmpty {
        throw SyntaxError(.badName, at: token.span, "The name of \(what) is empty.")
      }
      _ = take()
      return Name(text: token.text, isQuoted: true, span: token.span)
    case .word:
      try TokenReader.checkName(token)
      if !allowsReserved, ReservedWords.all.contains(token.text) {
        throw SyntaxError(
          .reservedName, at: token.span,
          "`\(token.text)` is a word of the language and no name for \(what).",
          hint: "choose another name, or quote it: \"\(token.text)\"")
      }
      _ = take()
      return Name(text: token.text, isQuoted: false, span: token.span)
    case .number:
      throw SyntaxError(
        .badName, at: token.span, "A name does not start with a digit.",
        hint: "quote it: \"\(token.text)\"")
    default:
      throw unexpected("the name of \(what)")
    }
  }

  private static func checkName(_ token: Token) throws(SyntaxError) {
    let text = token.text
    if text.hasPrefix(".") || text.hasSuffix(".") {
      throw SyntaxError(.badName, at: token.span, "A name neither begins nor ends with a dot.")
    }
    if text.contains(where: { "+-#".contains($0) }) {
      throw SyntaxError(
        .badName, at: token.span, "A name is made of letters, digits, _ and inner dots.",
        hint: "quote it: \"\(text)\"")
    }
  }

  /// A word of the language, such as a stage's name.
  mutating func word(_ what: String, hint: String? = nil) throws(SyntaxError) -> Name {
    guard current.kind == .word else { throw unexpected(what, hint: hint) }
    let token = take()
    return Name(text: token.text, isQuoted: false, span: token.span)
  }

  /// A text in quotes.
  mutating func string(_ what: String, hint: String) throws(SyntaxError) -> Name {
    guard let token = take(.string) else {
      if case .malformed = current.kind { throw unexpected(what, hint: hint) }
      throw SyntaxError(
        .badStatement, at: current.span,
        isAtEnd
          ? "The line ends where \(what) is expected." : "Here \(what) is expected.",
        hint: hint)
    }
    return Name(text: token.text, isQuoted: true, span: token.span)
  }

  /// Whether an argument begins here.
  var isAtArgument: Bool {
    switch current.kind {
    case .word, .number, .string, .malformed, .stray, .rangeDots: true
    default: false
    }
  }

  /// A number, a word, a text, or a range of two of them.
  mutating func argument() throws(SyntaxError) -> Argument {
    let first = try atom()
    guard take(.rangeDots) != nil else { return first }
    let last = try atom()
    return .range(first, last, span: first.span.joined(with: last.span))
  }

  private mutating func atom() throws(SyntaxError) -> Argument {
    switch current.kind {
    case .number(let value, let unit):
      let token = current
      if unit.isEmpty {
        _ = take()
        return .number(Quantity(value: value, unit: nil, span: token.span))
      }
      guard let known = Unit(rawValue: unit) else {
        throw SyntaxError(
          .unknownUnit, at: token.span, "`\(unit)` is not a unit.",
          hint: TokenReader.unitHint(for: unit))
      }
      _ = take()
      return .number(Quantity(value: value, unit: known, span: token.span))
    case .word:
      let token = take()
      return .word(Name(text: token.text, isQuoted: false, span: token.span))
    case .string:
      let token = take()
      return .string(Name(text: token.text, isQuoted: true, span: token.span))
    default:
      throw unexpected("a value")
    }
  }

  private static func unitHint(for unit: String) -> String {
    let spoken: [String: Unit] = [
      "°": .degrees, "degree": .degrees, "degrees": .degrees, "sec": .seconds,
      "msec": .milliseconds,
      "second": .seconds, "seconds": .seconds,
    ]
    let names = Unit.allCases.map(\.rawValue)
    if let meant = spoken[unit.lowercased()]?.rawValue ?? Suggestion.nearest(to: unit, in: names),
      unit.count > 1 || meant.lowercased() == unit.lowercased() || spoken[unit] != nil
    {
      return "did you mean `\(meant)`?"
    }
    return "the units are \(names.joined(separator: " "))"
  }
}
