/// Finds the score statements at which libcsound64 6.18 crashes instead of saying what is wrong.
struct ScoreCheck {
  /// The first such statement: its line in the CSD, and a sentence; nil where the score may go to Csound.
  static func firstFault(in file: CSDFile) -> (line: Int, sentence: String)? {
    guard let score = file.section("CsScore") else { return nil }
    var macros: Set<Substring> = []
    for (index, line) in score.lines.enumerated() {
      let number = score.first + index
      let statement = line.drop { $0 == " " || $0 == "\t" }
      guard let letter = statement.first else { continue }
      let words = statement.split { $0 == " " || $0 == "\t" }
      switch letter {
      case "b", "v", "B":
        // A base, a time factor: the number must be on the line, as digits or as [an expression].
        let rest = statement.dropFirst().drop { $0 == " " || $0 == "\t" }
        if let next = rest.first, next.isNumber || "+-.[".contains(next) { continue }
        return (number, "the score statement \(letter) needs a number")
      case "#":
        if words[0] == "#define", words.count > 1 {
          macros.insert(words[1].prefix { $0 != "#" && $0 != "(" })
        }
        if words[0] == "#undef", words.count < 2 || !macros.contains(words[1]) {
          return (number, "#undef must name a macro that the score has defined before")
        }
      default: continue
      }
    }
    return nil
  }
}
