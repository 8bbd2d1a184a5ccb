import Events

extension Diagnostic {
  /// The diagnostic as lines of text for a person, without a line end at the end.
  ///
  /// - Parameter colour: whether to add the terminal's colours.
  public func rendered(colour: Bool = false) -> String {
    let tint =
      switch severity {
      case .error: "\u{1B}[1;31m"
      case .warning: "\u{1B}[1;35m"
      case .note: "\u{1B}[1;36m"
      }
    func paint(_ text: String, _ code: String) -> String {
      colour ? "\(code)\(text)\u{1B}[0m" : text
    }
    var lines = [
      "\(place.label.printable): \(paint("\(severity.rawValue):", tint)) \(sentence.printable) [\(id.rawValue)]"
    ]
    lines += place.excerpt { paint($0, "\u{1B}[1;32m") }
    if let hint { lines.append("\(paint("hint:", "\u{1B}[1m")) \(hint.printable)") }
    if let related {
      lines.append(
        "\(related.place.label.printable): \(paint("note:", "\u{1B}[1;36m")) \(related.sentence.printable)"
      )
      lines += related.place.excerpt { paint($0, "\u{1B}[1;32m") }
    }
    return lines.joined(separator: "\n")
  }
}

extension Diagnostic.Place {
  /// `file:line:column`.
  var label: String { "\(file):\(line):\(column)" }

  private static let longestExcerpt = 400

  /// The source line and the caret under it.
  fileprivate func excerpt(_ paint: (String) -> String) -> [String] {
    var characters = Array(text)
    var start = min(column - 1, characters.count)
    var end = endLine > line ? characters.count : min(max(endColumn - 1, start), characters.count)
    // Of a line that no terminal can show, the part around the place.
    if characters.count > Diagnostic.Place.longestExcerpt {
      let first = max(0, start - Diagnostic.Place.longestExcerpt / 2)
      let last = min(characters.count, first + Diagnostic.Place.longestExcerpt)
      characters = Array(characters[first..<last])
      start -= first
      end = min(end - first, characters.count)
    }
    let padding = characters[..<start].map { $0 == "\t" ? "\t" : blanks(width(of: $0)) }.joined()
    let length = characters[start..<end].map(width(of:)).reduce(0, +)
    let caret = "^" + String(repeating: "~", count: max(0, length - 1))
    return [String(characters).printable, padding + paint(caret)]
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// How many columns a terminal gives a character: two for East Asian wide ones and emoji (Unicode UAX #11).
  private func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") {
      return 2
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    case 0x200B...0x200F, 0x0300...0x036F: return 0
    default: return 1
    }
  }
}
