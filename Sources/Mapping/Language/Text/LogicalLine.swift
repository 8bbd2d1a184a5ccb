/// One scalar of a line, and the bytes of the file that it stands for.
struct SourceCharacter: Sendable {
  var scalar: Unicode.Scalar
  var start: Int
  var end: Int

  var isBlank: Bool { scalar == " " || scalar == "\t" }
}

/// One line of a mapping after joining: what a statement is read from.
///
/// Each character remembers its bytes, so that spans stay right over joined lines and repeated braces.
struct LogicalLine: Sendable {
  var file: Int
  var characters: [SourceCharacter]
  /// The comment with its `#`, or nil.
  var comment: Span?

  /// The lines of `text`: `\` at the very end joins the next, and a comment is cut off.
  static func lines(of text: SourceText, file: Int) -> [LogicalLine] {
    var lines: [LogicalLine] = []
    var current: [SourceCharacter] = []
    var offset = text.lineStarts[0]
    var iterator = text.bytes[offset...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    // A joined `\` is only known as such when the line end follows it.
    var backslashIsLast = false
    var returnIsLast = false

    func endLine() {
      lines.append(LogicalLine(file: file, characters: current, comment: nil).withoutComment())
      current = []
    }

    while case .valid(let encoded) = parser.parseScalar(from: &iterator) {
      let scalar = Unicode.UTF8.decode(encoded)
      let start = offset
      offset += encoded.count
      if scalar == "\n" || scalar == "\r" {
        let isSecondHalf = scalar == "\n" && returnIsLast
        returnIsLast = scalar == "\r"
        if isSecondHalf { continue }
        if backslashIsLast {
          current.removeLast()
          backslashIsLast = false
        } else {
          endLine()
        }
        continue
      }
      returnIsLast = false
      backslashIsLast = scalar == "\\"
      current.append(SourceCharacter(scalar: scalar, start: start, end: offset))
    }
    if backslashIsLast { current.removeLast() }
    endLine()
    return lines
  }

  /// The line up to a `#` that stands at its start or after a blank, outside quotes.
  private func withoutComment() -> LogicalLine {
    var isQuoted = false
    var index = 0
    while index < characters.count {
      let scalar = characters[index].scalar
      if isQuoted && scalar == "\\" {
        index += 2
        continue
      }
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == "#" && !isQuoted && (index == 0 || characters[index - 1].isBlank) {
        let span = Span(file: file, start: characters[index].start, end: characters.last!.end)
        return LogicalLine(file: file, characters: Array(characters[..<index]), comment: span)
      }
      index += 1
    }
    return self
  }

  /// The line as text, and the span of all of it.
  var text: String {
    var text = String.UnicodeScalarView()
    for character in characters { text.append(character.scalar) }
    return String(text)
  }

  /// The bytes that characters `range` stand for; an empty range at the end is the place behind the line.
  func span(_ range: Range<Int>) -> Span {
    if range.isEmpty {
      let place =
        range.lowerBound < characters.count
        ? characters[range.lowerBound].start : characters.last?.end ?? 0
      return Span(file: file, start: place, end: place)
    }
    return Span(
      file: file, start: characters[range.lowerBound].start,
      end: characters[range.upperBound - 1].end)
  }
}
