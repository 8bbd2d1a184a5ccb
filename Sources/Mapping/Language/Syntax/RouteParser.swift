extension StatementParser {
  /// `[layers] source | stage … -> target, …`. A broken stage or target is reported and left out.
  mutating func route(span: Span) throws(SyntaxError) -> RouteSyntax {
    let layers = try layerTags()
    let source = try source()
    var isDamaged = false
    let stages = stages(isDamaged: &isDamaged)
    let arrow = reader.current
    guard arrow.kind == .arrow || arrow.kind == .doubleArrow else {
      throw afterStages(hasStages: !stages.isEmpty)
    }
    _ = reader.take()
    if reader.isAtEnd {
      throw SyntaxError(
        .missingTarget, at: arrow.span, "Nothing stands behind the arrow.",
        hint: "name a channel, a widget or a note behind it")
    }
    let targets = targets(isDamaged: &isDamaged)
    return RouteSyntax(
      layers: layers, source: source, stages: stages, targets: targets,
      feedback: arrow.kind == .doubleArrow ? arrow.span : nil, isDamaged: isDamaged, span: span)
  }

  private func afterStages(hasStages: Bool) -> SyntaxError {
    switch reader.current.kind {
    case .end:
      return SyntaxError(
        .missingTarget, at: reader.previous.span.after, "This line has no target.",
        hint: "end it with -> and a channel, a widget or a note")
    case .word where !hasStages && StageTable.named(reader.current.text) != nil:
      return SyntaxError(
        .badStatement, at: reader.current.span, "A stage stands behind a |.",
        hint: "write | \(reader.current.text)")
    case .comma where isNumber(reader.previous) && isNumber(reader.following):
      return SyntaxError(
        .badNumber, at: reader.current.span, "A number has a dot and no comma.",
        hint: "write \(reader.previous.text).\(reader.following.text)")
    case .number where !hasStages && reader.previous.kind == .word:
      let joined = reader.previous.text + reader.current.text
      return reader.unexpected("| or ->", hint: "if one control is meant, write \(joined)")
    case .equals:
      return SyntaxError(
        .unexpectedCharacter, at: reader.current.span, "The = has no meaning here.",
        hint: "the arrow is written ->")
    default:
      return reader.unexpected("| or ->")
    }
  }

  private func isNumber(_ token: Token) -> Bool {
    if case .number = token.kind { true } else { false }
  }

  private mutating func layerTags() throws(SyntaxError) -> [LayerTag] {
    guard reader.take(.openBracket) != nil else { return [] }
    var tags: [LayerTag] = []
    repeat {
      let isNegated = reader.take(.not) != nil
      tags.append(LayerTag(name: try reader.name("a layer"), isNegated: isNegated))
    } while reader.take(.comma) != nil
    guard reader.take(.closeBracket) != nil else {
      throw reader.unexpected("]", hint: "layers are written [a] or [a, !b]")
    }
    return tags
  }

  /// Where a value comes from.
  mutating func source() throws(SyntaxError) -> SourceSyntax {
    if reader.current.kind == .word, reader.current.text == "channel" {
      _ = reader.take()
      return .channel(try reader.name("a channel", allowsReserved: true))
    }
    if let device = reader.take(.string) {
      let name = Name(text: device.text, isQuoted: true, span: device.span)
      var control: Name?
      if reader.current.kind == .word, reader.current.isGlued, reader.current.text.hasPrefix(".") {
        let token = reader.take()
        control = Name(text: String(token.text.dropFirst()), isQuoted: false, span: token.span)
        try checkPath(control!)
      }
      return .path(name, control: control, keys: try keyRange())
    }
    let name = try reader.word("a source, such as pad.left.x,")
    try checkPath(name)
    return .path(name, control: nil, keys: try keyRange())
  }

  private func checkPath(_ name: Name) throws(SyntaxError) {
    if name.text.isEmpty || name.text.hasPrefix(".") || name.text.hasSuffix(".") {
      throw SyntaxError(
        .badName, at: name.span, "The name of a control neither begins nor ends with a dot.")
    }
  }

  private mutating func keyRange() throws(SyntaxError) -> Argument? {
    guard reader.following.kind == .rangeDots else { return nil }
    return try reader.argument()
  }

  /// `| word argument…` as often as it stands there.
  mutating func stages(isDamaged: inout Bool) -> [StageSyntax] {
    var stages: [StageSyntax] = []
    while reader.take(.pipe) != nil {
      do throws(SyntaxError) {
        var stage = StageSyntax(name: try reader.word("the name of a stage"), arguments: [])
        while reader.isAtArgument { stage.arguments.append(try reader.argument()) }
        stages.append(stage)
        if ![.pipe, .arrow, .doubleArrow, .end].contains(reader.current.kind) {
          throw afterStages(hasStages: true)
        }
      } catch {
        report(error)
        isDamaged = true
        reader.skip(to: [.pipe, .arrow, .doubleArrow])
      }
    }
    return stages
  }

  private mutating func targets(isDamaged: inout Bool) -> [TargetSyntax] {
    var targets: [TargetSyntax] = []
    repeat {
      do throws(SyntaxError) {
        targets.append(try target())
        if !reader.isAtEnd, reader.current.kind != .comma {
          throw behindTarget()
        }
      } catch {
        report(error)
        isDamaged = true
        reader.skip(to: [.comma])
      }
    } while reader.take(.comma) != nil
    return targets
  }

  private func behindTarget() -> SyntaxError {
    if reader.current.kind == .pipe {
      return SyntaxError(
        .badStatement, at: reader.current.span, "Stages stand before the arrow.",
        hint: "write: source | stage -> target")
    }
    return reader.unexpected(
      "a comma or the end of the line", hint: "targets are separated by commas")
  }

  private mutating func target() throws(SyntaxError) -> TargetSyntax {
    let first = reader.current
    var target = TargetSyntax(kind: .panic, span: first.span)
    if first.kind == .word, ReservedWords.targets.contains(first.text) {
      _ = reader.take()
      target.kind = try targetKind(first.text)
      target.attributes = try targetAttributes()
    } else {
      if first.kind == .word, isArgument(reader.following) {
        throw SyntaxError(
          .unknownTarget, at: first.span, "`\(first.text)` is no kind of target.",
          hint: Suggestion.hint(for: first.text, in: ReservedWords.targets)
            ?? "several targets are separated by commas")
      }
      if first.kind == .word, ReservedWords.all.contains(first.text) {
        throw SyntaxError(
          .reservedName, at: first.span, "`\(first.text)` is a word of the language and no target.",
          hint: "a channel of this name is written: channel \(first.text)")
      }
      target.kind = .named(try reader.name("a target"))
    }
    target.span = first.span.joined(with: reader.previous.span)
    return target
  }

  private func isArgument(_ token: Token) -> Bool {
    switch token.kind {
    case .word, .number, .string: !token.isGlued
    default: false
    }
  }

  private mutating func targetKind(_ word: String) throws(SyntaxError) -> TargetSyntax.Kind {
    switch word {
    case "channel": return .channel(try reader.name("a channel", allowsReserved: true))
    case "widget": return .widget(try reader.name("a widget"))
    case "note":
      guard reader.isAtArgument else {
        throw reader.unexpected("an instrument", hint: "write: note 1 or note Blip")
      }
      return .note(instrument: try reader.argument())
    case "event":
      return .event(
        try reader.string("a score event in quotes", hint: "write: event \"i 2 0 1 {value}\""))
    case "midi": return .midi(all: all())
    case "feedback":
      let path: SourceSyntax = try source()
      guard case .path(let device, let control, nil) = path else {
        throw SyntaxError(
          .badStatement, at: path.span, "Feedback goes to a control of a device.",
          hint: "write: feedback knobs.cc1")
      }
      return .feedback(device, control: control)
    case "recenter":
      guard reader.current.kind == .word || reader.current.kind == .string else {
        throw reader.unexpected("a device", hint: "write: recenter pad")
      }
      let token = reader.take()
      let device = Name(text: token.text, isQuoted: token.kind == .string, span: token.span)
      return .recenter(device, all: all())
    case "panic": return .panic
    default: return .mute
    }
  }

  private mutating func all() -> Name? {
    reader.takeWord("all").map { Name(text: $0.text, isQuoted: false, span: $0.span) }
  }
}
