public import LinuxIO

/// Where a take is read from.
public protocol ByteSource: AnyObject {
  /// Reads some bytes into `buffer`, waiting for them; 0 means the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Where a take is written to.
public protocol ByteSink: AnyObject {
  func write(_ bytes: [UInt8]) throws
  /// Hands everything on, so that it outlives this process.
  func flush() throws
}

extension FileReader: ByteSource {}
extension FileWriter: ByteSink {}

/// Bytes in memory, handed out in pieces.
public final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0
  private let pieceSize: Int

  public init(_ bytes: [UInt8], pieceSize: Int = .max) {
    self.bytes = bytes
    self.pieceSize = pieceSize
  }

  public convenience init(_ text: String, pieceSize: Int = .max) {
    self.init(Array(text.utf8), pieceSize: pieceSize)
  }

  public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position, pieceSize)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

/// Bytes kept in memory.
public final class MemorySink: ByteSink {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func write(_ bytes: [UInt8]) { self.bytes += bytes }
  public func flush() {}
}
