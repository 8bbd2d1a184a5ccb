/// Score events as text, checked so that Csound can take every one of them in the middle of a performance.
///
/// libcsound64 6.18 reads events with a parser that trusts them: an open quote or a leading brace ends the process.
/// So only what is known to be sound passes, and everything else is refused with its place.
struct ScoreText: Sendable, Equatable {
  /// The events, one to a line and each with its end of line, without comments and blank lines.
  let lines: [[UInt8]]

  /// Csound's own limit (C: `PMAX`), with room for what it adds.
  static let mostFields = 1998
  /// Longer events would not fit Csound's buffer for them beside others.
  static let mostBytes = 16_000
  /// Csound cuts longer texts off without a word (after 1014 bytes).
  static let mostTextBytes = 1000
  /// Instrument numbers beyond it do not fit Csound's integers; table numbers share the limit.
  private static let largestNumber = 1e9

  /// - Throws: `EngineError` that names the line, the column and what to do.
  init(_ text: String) throws(EngineError) {
    var reader = ScoreTextReader(Array(text.utf8))
    var lines: [[UInt8]] = []
    while let statement = try reader.next() {
      try ScoreText.check(statement)
      lines.append(statement.text)
    }
    self.lines = lines
  }

  private static func check(_ statement: ScoreStatement) throws(EngineError) {
    if statement.text.count > mostBytes {
      throw statement.error("an event of more than \(mostBytes) bytes; make it shorter")
    }
    if statement.fields.count > mostFields {
      throw statement.error("an event of more than \(mostFields) fields; make it shorter")
    }
    let least = leastFields(of: statement.letter)
    if statement.fields.count < least {
      throw statement.error(
        "the event \(statement.name) needs \(least) fields at least; add the missing ones")
    }
    for (index, field) in statement.fields.enumerated() {
      try check(field, number: index + 1, of: statement)
    }
  }

  private static func check(
    _ field: ScoreField, number: Int, of statement: ScoreStatement
  ) throws(EngineError) {
    switch field.value {
    case .text:
      if field.text.utf8.count - 2 > mostTextBytes {
        throw statement.error(
          "a text of more than \(mostTextBytes) bytes; send it through a string channel", at: field)
      }
      // A name where Csound takes one: an instrument's, or any later field.
      let isAllowed = number == 1 ? statement.letter == UInt8(ascii: "i") : number > 3
      if !isAllowed {
        throw statement.error("field \(number) of \(statement.name) must be a number", at: field)
      }
    case .number(let value):
      if number == 1 && abs(value) > largestNumber {
        throw statement.error(
          "the number \(field.text) is too large for \(statement.name)", at: field)
      }
      if number == 2 && value < 0 {
        throw statement.error("an event cannot start before now: field 2 is below 0", at: field)
      }
    }
  }

  private static func leastFields(of letter: UInt8) -> Int {
    switch letter {
    case UInt8(ascii: "i"): 2
    case UInt8(ascii: "f"): 2
    case UInt8(ascii: "q"): 3
    case UInt8(ascii: "a"): 3
    case UInt8(ascii: "d"): 1
    default: 0
    }
  }
}

/// One field of an event.
struct ScoreField: Equatable {
  enum Value: Equatable {
    case number(Double)
    case text
  }

  var value: Value
  /// As it was written.
  var text: String
  /// From 1.
  var column: Int
}

/// One event, as it was written.
struct ScoreStatement: Equatable {
  var letter: UInt8
  var fields: [ScoreField]
  /// For Csound: the letter, the fields, one blank between them, and the end of the line.
  var text: [UInt8]
  /// From 1.
  var line: Int
  var column: Int

  var name: String { String(decoding: [letter], as: UTF8.self) }

  func error(_ reason: String, at field: ScoreField? = nil) -> EngineError {
    EngineError(
      .score, "Score text, line \(line), column \(field?.column ?? column): \(reason).")
  }
}
