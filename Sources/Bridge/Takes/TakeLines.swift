/// Cuts a stream of bytes into lines, holding one piece of it at a time.
final class TakeLines {
  /// Longer than the longest line that a take may have, a SysEx of 64 KiB in hexadecimal.
  static let longestLine = 1 << 20

  private let source: any ByteSource
  private(set) var bytes: [UInt8] = []
  private var head = 0
  private var piece: [UInt8]
  private var isSourceAtEnd = false

  /// The number of the line that `next` gave last, from 1.
  private(set) var number = 0
  /// Whether that line had no line end: a recording that was cut off.
  private(set) var isCut = false

  init(_ source: any ByteSource, pieceSize: Int = 1 << 18) {
    self.source = source
    piece = [UInt8](repeating: 0, count: pieceSize)
  }

  /// The next line as a range of `bytes`, without its end; nil after the last one.
  func next() throws(TakeSyntaxError) -> Range<Int>? {
    var searched = head
    while true {
      if let end = newline(from: searched) {
        let line = head..<end
        head = end + 1
        return accept(line)
      }
      searched = bytes.count
      if isSourceAtEnd {
        if head == bytes.count { return nil }
        let line = head..<bytes.count
        head = bytes.count
        isCut = true
        return accept(line)
      }
      if bytes.count - head > Self.longestLine {
        number += 1
        throw TakeSyntaxError("the line is longer than 1 MiB; this is no take.")
      }
      searched -= head
      try fill()
    }
  }

  /// Calls `body` with each whole line that one read of the source gives, and leaves all of them to be read.
  func lookAhead(_ body: ([UInt8], Range<Int>) -> Void) throws(TakeSyntaxError) {
    try fill()
    var start = head
    while let end = newline(from: start) {
      body(bytes, start..<end)
      start = end + 1
    }
  }

  private func accept(_ line: Range<Int>) -> Range<Int> {
    number += 1
    var (start, end) = (line.lowerBound, line.upperBound)
    if number == 1, bytes[start..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  private func newline(from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index < bytes.count {
        if bytes[index] == 0x0A { return index }
        index += 1
      }
      return nil
    }
  }

  private func fill() throws(TakeSyntaxError) {
    bytes.removeFirst(head)
    head = 0
    var count = 0
    do {
      count = try piece.withUnsafeMutableBytes { try source.read(into: $0) }
    } catch {
      throw TakeSyntaxError("reading failed: \(error)")
    }
    isSourceAtEnd = count == 0
    bytes.append(contentsOf: piece[..<count])
  }
}
