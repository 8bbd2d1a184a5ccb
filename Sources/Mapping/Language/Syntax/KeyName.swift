/// Key names: `C4` is 60, `F#3` is 54, `Bb-1` is 10.
enum KeyName {
  private static let steps: [Character: Int] = [
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
  ]

  /// The key number that `text` names, or nil if it is not written as a key.
  static func number(of text: String) -> Int? {
    var rest = text[...]
    guard let letter = rest.popFirst(), let step = steps[letter] else { return nil }
    var key = step
    if rest.first == "#" {
      key += 1
      rest.removeFirst()
    } else if rest.first == "b" {
      key -= 1
      rest.removeFirst()
    }
    let digits = rest.first == "-" ? rest.dropFirst() : rest
    guard !digits.isEmpty, digits.count <= 2, digits.allSatisfy({ $0 >= "0" && $0 <= "9" }),
      let octave = Int(rest)
    else { return nil }
    return key + 12 * (octave + 1)
  }
}
