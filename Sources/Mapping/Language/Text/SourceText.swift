/// The text of one mapping file, with what is needed to say where in it something stands.
struct SourceText: Sendable {
  /// Why a file cannot be read as a mapping.
  enum Defect: Equatable, Sendable {
    case invalidUTF8(offset: Int)
    case binary(offset: Int)
    case utf16
  }

  /// The name under which diagnostics speak of the file.
  let name: String
  let bytes: [UInt8]
  /// The offset of the first byte of each line.
  let lineStarts: [Int]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [SourceText.hasByteOrderMark(bytes) ? 3 : 0]
    var index = starts[0]
    while index < bytes.count {
      defer { index += 1 }
      let isLineFeed = bytes[index] == 0x0A
      let isLoneReturn =
        bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
      if isLineFeed || isLoneReturn { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// The first thing that makes the bytes unusable, or nil for good text.
  var defect: Defect? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if let offset = bytes.firstIndex(of: 0) { return .binary(offset: offset) }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded): offset += encoded.count
      case .emptyInput: return nil
      case .error: return .invalidUTF8(offset: offset)
      }
    }
  }

  /// The number of the line, from 0, that holds the byte at `offset`.
  func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The line and column of the byte at `offset`, both from 1; a column is a character as a reader counts them.
  func position(of offset: Int) -> (line: Int, column: Int) {
    let line = lineIndex(at: offset)
    let start = lineStarts[line]
    let end = min(max(offset, start), bytes.count)
    return (line + 1, String(decoding: bytes[start..<end], as: UTF8.self).count + 1)
  }

  /// The text of line `index`, from 0, without its line end.
  func lineText(_ index: Int) -> String {
    let start = lineStarts[index]
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func hasByteOrderMark(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xEF, 0xBB, 0xBF])
  }
}
