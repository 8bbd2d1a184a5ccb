/// Reads numbers as the language writes them: `-1.57`, `1e3`, `20ms`; no dot at an end, no `+`.
enum NumberText {
  enum Reading: Equatable {
    case number(Double, unit: String)
    case malformed(sentence: String, hint: String)
    /// Not a number at all: a name.
    case word
  }

  static func read(_ text: String) -> Reading {
    let scalars = Array(text.unicodeScalars)
    var index = 0
    func isDigit(_ position: Int) -> Bool {
      position < scalars.count && scalars[position] >= "0" && scalars[position] <= "9"
    }
    func skipDigits() { while isDigit(index) { index += 1 } }

    if let sign = scalars.first, sign == "-" || sign == "+" { index = 1 }
    if index < scalars.count, scalars[index] == ".", isDigit(index + 1) {
      return .malformed(
        sentence: "A number has a digit before its dot.", hint: "write \(zeroBeforeDot(text))")
    }
    guard isDigit(index) else { return .word }
    if scalars[0] == "+" {
      return .malformed(
        sentence: "A number has no +.", hint: "write \(String(text.dropFirst()))")
    }
    skipDigits()
    if index < scalars.count, scalars[index] == "." {
      guard isDigit(index + 1) else {
        return .malformed(
          sentence: "A number has a digit behind its dot.",
          hint: "write \(prefix(scalars, index)) or \(prefix(scalars, index)).0")
      }
      index += 1
      skipDigits()
    }
    if index < scalars.count, scalars[index] == "e" || scalars[index] == "E" {
      let signed = index + 1 < scalars.count && "+-".unicodeScalars.contains(scalars[index + 1])
      let digits = index + (signed ? 2 : 1)
      if isDigit(digits) {
        index = digits
        skipDigits()
      }
    }
    guard let value = Double(prefix(scalars, index)), value.isFinite else {
      return .malformed(
        sentence: "This number is too large.", hint: "the largest is about 1.8e308")
    }
    return .number(value, unit: String(String.UnicodeScalarView(scalars[index...])))
  }

  private static func prefix(_ scalars: [Unicode.Scalar], _ count: Int) -> String {
    String(String.UnicodeScalarView(scalars[..<count]))
  }

  private static func zeroBeforeDot(_ text: String) -> String {
    guard let dot = text.firstIndex(of: ".") else { return text }
    return text[..<dot] + "0" + text[dot...]
  }
}
