/// Takes score text apart into events: letters, fields, comments, quotes.
struct ScoreTextReader {
  private let text: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: [UInt8]) { self.text = text }

  private static let letters = Set("ifeqad".utf8)

  /// The next event, or nil at the end.
  ///
  /// - Throws: `EngineError` that names the line and the column.
  mutating func next() throws(EngineError) -> ScoreStatement? {
    while let byte = try skipBlanks() {
      if byte == UInt8(ascii: "\n") {
        endLine()
        continue
      }
      return try statement(byte)
    }
    return nil
  }

  private mutating func statement(_ letter: UInt8) throws(EngineError) -> ScoreStatement {
    guard ScoreTextReader.letters.contains(letter) else {
      throw error(
        "an event starts with i, f, e, q, a or d, and not with \(shown(letter)); a whole score belongs into the CSD"
      )
    }
    var result = ScoreStatement(
      letter: letter, fields: [], text: [letter], line: line, column: column)
    position += 1
    while let byte = try skipBlanks(), byte != UInt8(ascii: "\n") {
      let field = try byte == UInt8(ascii: "\"") ? quoted() : number()
      if !result.fields.isEmpty || field.value == .text { result.text.append(UInt8(ascii: " ")) }
      result.text += Array(field.text.utf8)
      result.fields.append(field)
    }
    result.text.append(UInt8(ascii: "\n"))
    return result
  }

  private mutating func quoted() throws(EngineError) -> ScoreField {
    let start = position
    let column = column
    position += 1
    while position < text.count, text[position] != UInt8(ascii: "\n") {
      let byte = text[position]
      if byte == 0 { throw error("a NUL byte; leave it out") }
      if byte == UInt8(ascii: "\\"), position + 1 < text.count,
        text[position + 1] != UInt8(ascii: "\n")
      {
        position += 2
        continue
      }
      position += 1
      if byte == UInt8(ascii: "\"") {
        let written = String(decoding: text[start..<position], as: UTF8.self)
        return ScoreField(value: .text, text: written, column: column)
      }
    }
    position = start
    throw error("a quote that is not closed on its line; close it")
  }

  private mutating func number() throws(EngineError) -> ScoreField {
    let start = position
    let column = column
    // At least one: what can stand nowhere is named.
    repeat { position += 1 } while position < text.count && !isEnd(text[position])
    if position < text.count, text[position] == 0 { throw error("a NUL byte; leave it out") }
    let written = String(decoding: text[start..<position], as: UTF8.self)
    guard let value = ScoreTextReader.number(written) else {
      position = start
      let remedy =
        written == "z" ? "write -1 for a note without end" : "write a number or a \"text\""
      throw error("\(written.debugDescription) is no number; \(remedy)")
    }
    return ScoreField(value: .number(value), text: written, column: column)
  }

  /// The value of digits with a sign, a point and an exponent; nil for anything else that Swift would take too.
  static func number(_ text: String) -> Double? {
    let plain = text.utf8.allSatisfy {
      (48...57).contains($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E")
    }
    guard plain, text.utf8.count <= 64, text.utf8.contains(where: { (48...57).contains($0) })
    else { return nil }
    // Csound takes .5 and 5. as well.
    var full = text
    if let point = full.firstIndex(of: ".") {
      let after = full.index(after: point)
      if after == full.endIndex || !full[after].isNumber { full.insert("0", at: after) }
      if point == full.startIndex || !full[full.index(before: point)].isNumber {
        full.insert("0", at: point)
      }
    }
    guard let value = Double(full), value.isFinite else { return nil }
    return value
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == 0 || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "/")
  }

  // Over blanks and comments; the byte that is there then, or nil at the end.
  private mutating func skipBlanks() throws(EngineError) -> UInt8? {
    while position < text.count {
      let byte = text[position]
      let following = position + 1 < text.count ? text[position + 1] : 0
      switch byte {
      case 0: throw error("a NUL byte; leave it out")
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: ";"): skipLine()
      case UInt8(ascii: "/") where following == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where following == UInt8(ascii: "*"): try skipComment()
      default: return byte
      }
    }
    return nil
  }

  private mutating func skipLine() {
    while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipComment() throws(EngineError) {
    let opened = error("a comment /* that is not closed; close it with */")
    position += 2
    while position + 1 < text.count {
      if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
        position += 2
        return
      }
      if text[position] == UInt8(ascii: "\n") {
        endLine()
      } else {
        position += 1
      }
    }
    throw opened
  }

  private mutating func endLine() {
    position += 1
    line += 1
    lineStart = position
  }

  private var column: Int { position - lineStart + 1 }

  private func error(_ reason: String) -> EngineError {
    EngineError(.score, "Score text, line \(line), column \(column): \(reason).")
  }

  private func shown(_ byte: UInt8) -> String {
    (32..<127).contains(byte) ? "'\(String(decoding: [byte], as: UTF8.self))'" : "byte \(byte)"
  }
}
