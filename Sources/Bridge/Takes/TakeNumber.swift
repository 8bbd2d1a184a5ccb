import Events

/// Decimal numbers of takes: values as `Double`, times as whole nanoseconds.
enum TakeNumber {
  /// The finite decimal number in `bytes[range]`, correctly rounded, or nil.
  static func double(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
    var index = range.lowerBound
    let end = range.upperBound
    var isNegative = false
    if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var mantissa: UInt64 = 0
    var digits = 0
    var significant = 0
    var fraction = 0
    var sawPoint = false
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !sawPoint {
        sawPoint = true
      } else if byte >= 0x30, byte <= 0x39 {
        digits += 1
        if mantissa != 0 || byte != 0x30 { significant += 1 }
        if significant <= 18 { mantissa = mantissa * 10 + UInt64(byte - 0x30) }
        if sawPoint { fraction += 1 }
      } else {
        break
      }
      index += 1
    }
    if digits == 0 { return nil }
    // Both numbers are exact as Double here, so one division rounds once: the result is the nearest Double.
    if index == end, significant <= 15, fraction <= 22 {
      let value = Double(mantissa) / powersOfTen[fraction]
      return isNegative ? -value : value
    }
    if index < end {
      guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
      index += 1
      if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
        index += 1
      }
      if index == end { return nil }
      while index < end {
        if bytes[index] < 0x30 || bytes[index] > 0x39 { return nil }
        index += 1
      }
    }
    guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The seconds in `bytes[range]` (`12.345678`) as nanoseconds, further digits cut off; nil if it is no such number.
  static func nanoseconds(_ bytes: [UInt8], _ range: Range<Int>) -> Nanoseconds? {
    var seconds: Int64 = 0
    var fraction: Int64 = 0
    var fractionDigits = 0
    var digits = 0
    var sawPoint = false
    for index in range {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !sawPoint {
        sawPoint = true
        continue
      }
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      digits += 1
      let digit = Int64(byte - 0x30)
      if !sawPoint {
        // 2⁶³ ns are 292 years; beyond that the numbers are no times.
        if seconds > 900_000_000 { return nil }
        seconds = seconds * 10 + digit
      } else if fractionDigits < 9 {
        fraction = fraction * 10 + digit
        fractionDigits += 1
      }
    }
    if digits == 0 { return nil }
    if seconds > 9_000_000_000 { return nil }
    for _ in fractionDigits..<9 { fraction *= 10 }
    return seconds * Nanoseconds.perSecond + fraction
  }

  /// Appends `time` in seconds with 6 digits, or 9 where it has a part below a microsecond.
  static func append(_ time: Nanoseconds, to text: inout [UInt8]) {
    let positive = time.magnitude
    if time < 0 { text.append(UInt8(ascii: "-")) }
    text.append(contentsOf: String(positive / 1_000_000_000).utf8)
    text.append(UInt8(ascii: "."))
    var rest = positive % 1_000_000_000
    var divisor: UInt64 = 100_000_000
    let last: UInt64 = rest % 1000 == 0 ? 1000 : 1
    while divisor >= last {
      text.append(0x30 + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}
