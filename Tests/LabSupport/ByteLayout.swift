// Kernel structures are laid out by hand: Swift imports neither their packed form nor the ioctl macros.
extension [UInt8] {
  /// Puts `value` at `offset`, least significant byte first.
  mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
    for index in 0..<(value.bitWidth / 8) {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// Puts the text at `offset`, cut to `size` bytes with the zero that ends it.
  mutating func put(_ text: String, at offset: Int, size: Int) {
    for (index, byte) in text.utf8.prefix(size - 1).enumerated() { self[offset + index] = byte }
  }

  /// The integer at `offset`, least significant byte first.
  func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value
  {
    var value: Value = 0
    for index in (0..<(Value.bitWidth / 8)).reversed() {
      value = value << 8 | Value(truncatingIfNeeded: self[offset + index])
    }
    return value
  }
}
