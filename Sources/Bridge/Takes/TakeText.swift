/// How names are written in takes: quoted where needed, every string readable as one line of text.
enum TakeText {
  /// Bytes as a string; what is not UTF-8 becomes `\xNN`, so that names that differ stay different.
  static func string(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = ""
    var index = bytes.startIndex
    while index < bytes.endIndex {
      // The longest valid scalar that starts here, if any.
      var length = min(4, bytes.endIndex - index)
      while length > 0 {
        let part = bytes[index..<index + length]
        if let text = String(validating: part, as: UTF8.self), text.unicodeScalars.count == 1 {
          result += text
          break
        }
        length -= 1
      }
      if length == 0 {
        result += hexEscape(bytes[index])
        length = 1
      }
      index += length
    }
    return result
  }

  /// What stands between quotes, with `\"`, `\\` and `\xNN` undone; any other backslash is itself.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return string(bytes) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let rest = bytes.endIndex - index
      if byte == UInt8(ascii: "\\"), rest > 1 {
        let escaped = bytes[index + 1]
        if escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") {
          plain.append(escaped)
          index += 2
          continue
        }
        if escaped == UInt8(ascii: "x"), rest > 3, let high = hexDigit(bytes[index + 2]),
          let low = hexDigit(bytes[index + 3])
        {
          plain.append(high << 4 | low)
          index += 4
          continue
        }
      }
      plain.append(byte)
      index += 1
    }
    return string(plain[...])
  }

  /// Appends `text` in quotes.
  static func appendQuoted(_ text: String, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        line.append(UInt8(ascii: "\\"))
        line.append(byte)
      case 0..<0x20, 0x7f: line.append(contentsOf: hexEscape(byte).utf8)
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\""))
  }

  /// Appends a name bare where that reads back as itself, else in quotes.
  static func appendName(_ name: String, to line: inout [UInt8]) {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
          || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
    if isPlain {
      line.append(contentsOf: name.utf8)
    } else {
      appendQuoted(name, to: &line)
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// Appends `byte` as two hexadecimal digits.
  static func appendHex(_ byte: UInt8, to line: inout [UInt8]) {
    for digit in [byte >> 4, byte & 15] {
      line.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }

  private static func hexEscape(_ byte: UInt8) -> String {
    var text: [UInt8] = [UInt8(ascii: "\\"), UInt8(ascii: "x")]
    appendHex(byte, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
