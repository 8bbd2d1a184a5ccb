/// Reads one line.
struct StatementParser {
  var reader: TokenReader
  let diagnostics: DiagnosticList
  /// The whole line, for the statement's span.
  private let span: Span

  init(_ tokens: [Token], diagnostics: DiagnosticList) {
    reader = TokenReader(tokens)
    self.diagnostics = diagnostics
    let last = tokens.count > 1 ? tokens[tokens.count - 2] : tokens[0]
    span = tokens[0].span.joined(with: last.span)
  }

  /// The statement of the line, or nil when nothing of it can be used.
  mutating func statement() -> Statement? {
    do throws(SyntaxError) {
      return Statement(kind: try kind(), span: span)
    } catch {
      report(error)
      return nil
    }
  }

  func report(_ error: SyntaxError) {
    diagnostics.report(error.id, at: error.span, error.sentence, hint: error.hint)
  }

  private mutating func kind() throws(SyntaxError) -> Statement.Kind {
    let first = reader.current
    guard first.kind == .word else { return .route(try route(span: span)) }
    switch first.text {
    case "csd", "include":
      _ = reader.take()
      let path = try reader.string(
        "a path in quotes", hint: "write: \(first.text) \"path/to/file\"")
      if path.text.isEmpty {
        throw SyntaxError(.badStatement, at: path.span, "The path is empty.")
      }
      try end(of: first.text)
      return first.text == "csd" ? .csd(path) : .include(path)
    case "device":
      _ = reader.take()
      let name = try reader.name("a device")
      let kind = try reader.word("the kind of device", hint: "gamepad, imu, midi or evdev")
      return .device(name: name, kind: kind, attributes: attributesOrNone())
    case "widget":
      _ = reader.take()
      let kind = try reader.word("the kind of widget", hint: "for example: widget slider cutoff")
      if reader.isAtEnd {
        throw SyntaxError(
          .badStatement, at: kind.span.after, "A widget line gives a kind and a name.",
          hint: "for example: widget slider cutoff")
      }
      let name = try reader.name("a widget")
      return .widget(kind: kind, name: name, attributes: attributesOrNone())
    case "layer":
      _ = reader.take()
      let name = try reader.name("a layer")
      guard reader.take(.equals) != nil else {
        throw reader.unexpected("=", hint: "write: layer \(name.text) = pad.left.shoulder")
      }
      let source = try source()
      var isDamaged = false
      let stages = stages(isDamaged: &isDamaged)
      try end(of: "layer")
      return .layer(name: name, source: source, stages: stages)
    default:
      if first.text != "channel", !first.text.contains("."), isAName(reader.following) {
        throw SyntaxError(
          .unknownStatement, at: first.span, "No statement begins with `\(first.text)`.",
          hint: Suggestion.hint(for: first.text, in: ReservedWords.statements)
            ?? "a route is written: source -> target")
      }
      return .route(try route(span: span))
    }
  }

  private func isAName(_ token: Token) -> Bool {
    switch token.kind {
    case .word, .string, .number: !token.isGlued
    default: false
    }
  }

  private mutating func end(of word: String) throws(SyntaxError) {
    if !reader.isAtEnd { throw reader.unexpected("the end of the \(word) line") }
  }

  /// The attributes, or none of them when one cannot be read: the name is declared all the same, so that the lines
  /// that use it are not reported for nothing.
  private mutating func attributesOrNone() -> [Attribute] {
    do throws(SyntaxError) {
      return try attributes()
    } catch {
      report(error)
      return []
    }
  }

  /// `word=value` up to the end of a device or widget line.
  private mutating func attributes() throws(SyntaxError) -> [Attribute] {
    var attributes: [Attribute] = []
    while !reader.isAtEnd {
      let name = try reader.word("an attribute", hint: "attributes are written word=value")
      guard reader.current.kind == .equals, reader.current.isGlued else {
        throw reader.current.kind == .equals
          ? blanksAroundEquals(name)
          : reader.unexpected("= and a value", hint: "write \(name.text)=…")
      }
      _ = reader.take()
      let token = reader.current
      guard token.kind == .rawValue || token.kind == .string, token.isGlued else {
        throw token.isGlued || token.kind == .end
          ? reader.unexpected("a value for \(name.text)=") : blanksAroundEquals(name)
      }
      _ = reader.take()
      let value = Name(text: token.text, isQuoted: token.kind == .string, span: token.span)
      attributes.append(Attribute(name: name, value: value, argument: .word(value)))
    }
    return attributes
  }

  private func blanksAroundEquals(_ name: Name) -> SyntaxError {
    SyntaxError(
      .badStatement, at: reader.current.span, "There are no blanks around the = of an attribute.",
      hint: "write \(name.text)=…")
  }

  /// `word=value` behind a target.
  mutating func targetAttributes() throws(SyntaxError) -> [Attribute] {
    var attributes: [Attribute] = []
    while reader.current.kind == .word, reader.following.kind == .equals {
      let name = try reader.word("an attribute")
      guard reader.current.isGlued, reader.following.isGlued else { throw blanksAroundEquals(name) }
      _ = reader.take()
      let argument = try reader.argument()
      let text =
        switch argument {
        case .word(let name), .string(let name): name.text
        case .number, .range: ""
        }
      attributes.append(
        Attribute(
          name: name, value: Name(text: text, isQuoted: false, span: argument.span),
          argument: argument))
    }
    return attributes
  }
}
