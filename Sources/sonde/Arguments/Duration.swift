/// The nanoseconds that a time on the command line means (`20s`, `500ms`, `1.5s`), or nil.
func nanoseconds(of text: String) -> Int64? {
  let scale: Double
  let digits: Substring
  if text.hasSuffix("ms") {
    scale = 1e6
    digits = text.dropLast(2)
  } else if text.hasSuffix("s") {
    scale = 1e9
    digits = text.dropLast()
  } else {
    return nil
  }
  // Double also reads 0x10, inf and 1e3. A week bounds it, so that the product always fits.
  guard digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (48...57).contains($0) }),
    let number = Double(digits), number * scale >= 1, number * scale <= 604_800e9
  else { return nil }
  return Int64(number * scale)
}
