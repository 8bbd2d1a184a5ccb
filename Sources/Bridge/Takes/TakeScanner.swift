import Events

/// Cuts one line of a take into words and reads numbers from them.
///
/// Works on bytes: a take may be gigabytes, and names in it need not be UTF-8.
struct TakeScanner {
  let bytes: [UInt8]
  var position: Int
  let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    skipBlanks()
  }

  /// Whether only a comment, or nothing, is left.
  var isAtEnd: Bool { position == end }

  /// The first byte of the next word, or nil at the end.
  var next: UInt8? { position < end ? bytes[position] : nil }

  /// Moves to the next word, or to the end: words are set apart by blanks, and `#` after a blank ends the line.
  private mutating func skipBlanks() {
    while position < end, bytes[position] == UInt8(ascii: " ") || bytes[position] == 9 {
      position += 1
    }
    if position < end, bytes[position] == UInt8(ascii: "#") { position = end }
  }

  /// The bytes up to the next blank, as a range of `bytes`; empty at the end.
  mutating func word() -> Range<Int> {
    let start = position
    while position < end, bytes[position] != UInt8(ascii: " "), bytes[position] != 9 {
      position += 1
    }
    let range = start..<position
    skipBlanks()
    return range
  }

  /// The next word as text.
  mutating func text() -> String { text(word()) }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// A name: bare up to the next blank, or in quotes.
  mutating func name() throws(TakeSyntaxError) -> String {
    if next == UInt8(ascii: "\"") { return try quoted() }
    return TakeText.string(bytes[word()])
  }

  /// One `key=value`, with the value bare or in quotes; nil if the next word is none.
  mutating func attribute() throws(TakeSyntaxError) -> (key: String, value: String)? {
    var equals = position
    while equals < end, bytes[equals] != UInt8(ascii: "=") {
      let byte = bytes[equals]
      if byte == UInt8(ascii: " ") || byte == 9 || byte == UInt8(ascii: "\"") { return nil }
      equals += 1
    }
    if equals == end || equals == position { return nil }
    let key = text(position..<equals)
    position = equals + 1
    if next == UInt8(ascii: "\"") { return (key, try quoted()) }
    // No word at all after `=` is an empty value; a blank must not be skipped into the next word.
    return (key, TakeText.string(bytes[word()]))
  }

  private mutating func quoted() throws(TakeSyntaxError) -> String {
    position += 1
    let start = position
    while position < end, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") && position + 1 < end ? 2 : 1
    }
    if position >= end { throw TakeSyntaxError("a quote is never closed; end the name with \".") }
    let content = TakeText.unescaped(bytes[start..<position])
    position += 1
    if let byte = next, byte != UInt8(ascii: " "), byte != 9 {
      throw TakeSyntaxError("a closing quote is followed by text; set them apart by a blank.")
    }
    skipBlanks()
    return content
  }

  /// The next word as a finite number; `what` names it in errors.
  mutating func number(_ what: @autoclosure () -> String) throws(TakeSyntaxError) -> Double {
    let range = word()
    guard let value = TakeNumber.double(bytes, range) else {
      throw TakeSyntaxError(
        range.isEmpty
          ? "\(what()) is missing."
          : "\(what()) is '\(text(range))', which is no finite decimal number.")
    }
    return value
  }

  /// The next word as a whole number of `range`; `what` names it in errors.
  mutating func integer(_ what: String, in range: ClosedRange<Int>) throws(TakeSyntaxError) -> Int {
    let found = word()
    guard let value = Int(text(found)), range.contains(value) else {
      throw TakeSyntaxError(
        found.isEmpty
          ? "\(what) is missing."
          : "\(what) is '\(text(found))'; it must be \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }
}
