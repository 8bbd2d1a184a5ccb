/// The smallest piece of a line that means something.
struct Token: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// A name, a control, a word of the language; not checked for its characters yet.
    case word
    case string
    case number(Double, unit: String)
    case malformed(id: DiagnosticID, sentence: String, hint: String?)
    /// An attribute's value without quotes: everything up to the next blank.
    case rawValue
    case pipe, arrow, doubleArrow, openBracket, closeBracket, not, comma, equals, rangeDots
    /// A character that begins nothing.
    case stray
    case end
  }

  var kind: Kind
  /// The characters; of a string, what is inside its quotes with escapes resolved.
  var text: String
  var span: Span
  /// Whether it stands right behind the token before it, without a blank.
  var isGlued: Bool

  /// How a diagnostic calls it.
  var description: String {
    switch kind {
    case .end: "the end of the line"
    case .string: "\"\(text)\""
    case .stray where text.unicodeScalars.first?.properties.generalCategory == .control:
      "U+00\(String(text.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true))"
    default: "`\(text)`"
    }
  }
}
