/// Cuts a line into tokens. Never fails: what it cannot read becomes a token that says so.
struct Lexer {
  private let line: LogicalLine
  private var index = 0
  private var tokens: [Token] = []

  /// The tokens of `line`, with an `.end` at the end.
  ///
  /// `device` and `widget` lines have attributes, whose values run up to the next blank.
  static func tokens(of line: LogicalLine) -> [Token] {
    var lexer = Lexer(line: line)
    while lexer.next() {}
    return lexer.tokens
  }

  private init(line: LogicalLine) { self.line = line }

  private var hasAttributes: Bool {
    guard let first = tokens.first, first.kind == .word else { return false }
    return first.text == "device" || first.text == "widget"
  }

  private func scalar(_ position: Int) -> Unicode.Scalar? {
    position < line.characters.count ? line.characters[position].scalar : nil
  }

  private mutating func next() -> Bool {
    let before = index
    while index < line.characters.count, line.characters[index].isBlank { index += 1 }
    let isGlued = index == before && !tokens.isEmpty
    guard let scalar = scalar(index) else {
      add(.end, length: 0, isGlued: false)
      return false
    }
    if isGlued, hasAttributes, tokens.last?.kind == .equals, scalar != "\"" {
      addRawValue()
      return true
    }
    switch scalar {
    case "|": add(.pipe, length: 1, isGlued: isGlued)
    case "[": add(.openBracket, length: 1, isGlued: isGlued)
    case "]": add(.closeBracket, length: 1, isGlued: isGlued)
    case "!": add(.not, length: 1, isGlued: isGlued)
    case ",": add(.comma, length: 1, isGlued: isGlued)
    case "=": add(.equals, length: 1, isGlued: isGlued)
    case "\"": addString(isGlued: isGlued)
    default:
      if startsArrow(index) {
        add(.arrow, length: 2, isGlued: isGlued)
      } else if startsDoubleArrow(index) {
        add(.doubleArrow, length: 3, isGlued: isGlued)
      } else if startsRangeDots(index) {
        add(.rangeDots, length: 2, isGlued: isGlued)
      } else {
        addWord(isGlued: isGlued)
      }
    }
    return true
  }

  private func startsArrow(_ position: Int) -> Bool {
    scalar(position) == "-" && scalar(position + 1) == ">"
  }

  private func startsDoubleArrow(_ position: Int) -> Bool {
    scalar(position) == "<" && startsArrow(position + 1)
  }

  private func startsRangeDots(_ position: Int) -> Bool {
    scalar(position) == "." && scalar(position + 1) == "."
  }

  private mutating func add(_ kind: Token.Kind, length: Int, isGlued: Bool, text: String? = nil) {
    let range = index..<index + length
    tokens.append(
      Token(kind: kind, text: text ?? self.text(range), span: line.span(range), isGlued: isGlued))
    index = range.upperBound
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    for character in line.characters[range] { text.append(character.scalar) }
    return String(text)
  }

  private mutating func addWord(isGlued: Bool) {
    var end = index
    while let scalar = scalar(end), scalar != " ", scalar != "\t",
      !Lexer.separators.contains(scalar), !startsArrow(end), !startsDoubleArrow(end),
      !startsRangeDots(end)
    {
      end += 1
    }
    let text = text(index..<end)
    switch NumberText.read(text) {
    case .number(let value, let unit):
      add(.number(value, unit: unit), length: end - index, isGlued: isGlued)
    case .malformed(let sentence, let hint):
      add(
        .malformed(id: .badNumber, sentence: sentence, hint: hint), length: end - index,
        isGlued: isGlued)
    case .word:
      guard
        let odd = (index..<end).first(where: { !Lexer.belongsInWord(line.characters[$0].scalar) })
      else { return add(.word, length: end - index, isGlued: isGlued) }
      add(.stray, length: end - index, isGlued: isGlued, text: self.text(odd..<odd + 1))
      tokens[tokens.count - 1].span = line.span(odd..<odd + 1)
    }
  }

  /// Letters of any script; + - # for `cc1+33`, `whole-tone` and `F#3`, which names then refuse.
  private static func belongsInWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || "_.+-#".unicodeScalars.contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return scalar.properties.isAlphabetic
    }
  }

  private static let separators: Set<Unicode.Scalar> = ["|", "[", "]", "!", ",", "=", "\""]

  private mutating func addRawValue() {
    var end = index
    while end < line.characters.count, !line.characters[end].isBlank { end += 1 }
    add(.rawValue, length: end - index, isGlued: true)
  }

  private mutating func addString(isGlued: Bool) {
    var content = String.UnicodeScalarView()
    var end = index + 1
    var badEscape: Int?
    while let scalar = scalar(end), scalar != "\"" {
      if scalar == "\\", let escaped = self.scalar(end + 1) {
        if escaped != "\"" && escaped != "\\" && badEscape == nil { badEscape = end }
        content.append(escaped)
        end += 2
      } else {
        content.append(scalar)
        end += 1
      }
    }
    if scalar(end) == nil {
      add(
        .malformed(
          id: .unclosedQuote, sentence: "This quote is not closed on its line.",
          hint: "a quote inside quotes is written \\\""),
        length: line.characters.count - index, isGlued: isGlued)
      return
    }
    if let badEscape {
      let length = end + 1 - index
      let span = line.span(badEscape..<badEscape + 2)
      add(
        .malformed(
          id: .badEscape, sentence: "Inside quotes a backslash is followed by \" or \\.",
          hint: "write \\\\ for a backslash"), length: length, isGlued: isGlued)
      tokens[tokens.count - 1].span = span
      return
    }
    add(.string, length: end + 1 - index, isGlued: isGlued, text: String(content))
  }
}
