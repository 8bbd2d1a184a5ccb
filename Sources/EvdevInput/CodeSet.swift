/// A set of evdev codes, as sysfs prints it: `capabilities/key`, `properties`.
public struct CodeSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var words: [UInt64] = []

  public init(_ codes: some Sequence<UInt16> = []) {
    for code in codes { insert(code) }
  }

  public init(arrayLiteral codes: UInt16...) { self.init(codes) }

  /// Reads sysfs's form: words of 64 bits in hexadecimal, the highest first; nil where it is none.
  public init?(sysfs text: String) {
    for word in text.split(whereSeparator: \.isWhitespace).reversed() {
      guard let bits = UInt64(word, radix: 16) else { return nil }
      words.append(bits)
    }
    trim()
  }

  public mutating func insert(_ code: UInt16) {
    let word = Int(code / 64)
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(code % 64)
  }

  public func contains(_ code: UInt16) -> Bool {
    let word = Int(code / 64)
    return word < words.count && words[word] >> UInt64(code % 64) & 1 == 1
  }

  public var isEmpty: Bool { words.isEmpty }

  /// The codes in rising order.
  public var codes: [UInt16] {
    (0..<UInt16(words.count * 64)).filter { contains($0) }
  }

  func containsAny(_ range: ClosedRange<UInt16>) -> Bool { range.contains { contains($0) } }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }
}
