/// The controls of MIDI devices, which have too many names for a list.
enum MIDIControls {
  enum Reading: Equatable {
    case known
    /// Written like a control, with a number that does not exist.
    case outOfRange(sentence: String)
    case unknown
  }

  /// Names as a suggestion gives them; a numbered one stands for its like.
  static let examples = [
    "cc1", "nrpn1", "rpn1", "note60", "note60.velocity", "note60.gate", "note60.pressure",
    "note.number", "note.velocity", "note.gate", "notes", "bend", "pressure", "program", "bank",
    "start", "stop", "continue", "clock.tempo", "clock.beat", "clock.tick", "ch1.cc1", "ch1.notes",
  ]

  private static let plain: Set<String> = [
    "note.number", "note.velocity", "note.gate", "notes", "notes.bend", "notes.pressure",
    "notes.slide", "bend", "pressure", "program", "bank", "start", "stop", "continue",
    "clock.tempo", "clock.beat", "clock.tick",
  ]

  private static let noteParts: Set<Substring> = ["", ".velocity", ".gate", ".pressure"]

  static func read(_ text: String) -> Reading {
    var rest = text[...]
    if let (channel, behind) = number(after: "ch", in: rest), behind.hasPrefix(".") {
      if channel < 1 || channel > 16 {
        return .outOfRange(sentence: "MIDI channels are ch1 to ch16.")
      }
      rest = behind.dropFirst()
    }
    if plain.contains(String(rest)) { return .known }
    if let (controller, behind) = number(after: "cc", in: rest) {
      guard controller <= 127 else {
        return .outOfRange(sentence: "MIDI controllers are cc0 to cc127.")
      }
      if behind.isEmpty { return .known }
      guard let (fine, end) = number(after: "+", in: behind), end.isEmpty else { return .unknown }
      return fine <= 127
        ? .known : .outOfRange(sentence: "MIDI controllers are cc0 to cc127.")
    }
    for word in ["nrpn", "rpn"] {
      if let (parameter, behind) = number(after: word, in: rest), behind.isEmpty {
        return parameter <= 16383
          ? .known : .outOfRange(sentence: "Parameter numbers are \(word)0 to \(word)16383.")
      }
    }
    if let (key, behind) = number(after: "note", in: rest), noteParts.contains(behind) {
      return key <= 127 ? .known : .outOfRange(sentence: "MIDI keys are note0 to note127.")
    }
    return .unknown
  }

  /// The number right behind `word`, and what is behind it. Five digits hold all there are.
  private static func number(after word: String, in text: Substring) -> (Int, Substring)? {
    guard text.hasPrefix(word) else { return nil }
    let rest = text.dropFirst(word.count)
    let digits = rest.prefix { $0 >= "0" && $0 <= "9" }
    guard let value = Int(digits.prefix(6)), digits.count <= 6 else { return nil }
    return (value, rest.dropFirst(digits.count))
  }
}
