import Glibc

/// Writes a file piece by piece through a buffer: takes, tables, logs.
///
/// One thread at a time; not for realtime threads.
public final class FileWriter {
  public let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  private var isOpen = true
  private var buffer: [UInt8] = []
  private let bufferSize: Int

  /// Creates or empties the file at `path`; `-` is standard output.
  ///
  /// - Parameter appending: adds to what is there instead.
  /// - Throws: `SystemError` of `open`.
  public init(_ path: String, appending: Bool = false, bufferSize: Int = 1 << 16)
    throws(SystemError)
  {
    self.path = path == "-" ? "standard output" : path
    self.bufferSize = bufferSize
    isOwned = path != "-"
    if path == "-" {
      descriptor = STDOUT_FILENO
    } else {
      descriptor = try FileDescriptor(
        path: path, flags: O_WRONLY | O_CREAT | (appending ? O_APPEND : O_TRUNC)
      ).release()
    }
    buffer.reserveCapacity(bufferSize + 4096)
  }

  deinit {
    if isOwned && isOpen { _ = Glibc.close(descriptor) }
  }

  /// - Throws: `SystemError` of `write`, such as a full disk.
  public func write(_ text: String) throws(SystemError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= bufferSize { try flush() }
  }

  /// - Throws: `SystemError` of `write`.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= bufferSize { try flush() }
  }

  /// Hands what is buffered to the system.
  ///
  /// - Throws: `SystemError` of `write`; what was buffered is dropped then.
  public func flush() throws(SystemError) {
    var failure: SystemError?
    buffer.withUnsafeBytes { bytes in
      do throws(SystemError) {
        try writeAll(bytes, to: descriptor, path: path)
      } catch { failure = error }
    }
    buffer.removeAll(keepingCapacity: true)
    if let failure { throw failure }
  }

  /// Flushes and closes; a second call does nothing.
  ///
  /// - Throws: `SystemError` of `write` or `close`: only after it returned is the content safe.
  public func close() throws(SystemError) {
    if !isOpen { return }
    isOpen = false
    var failure: SystemError?
    do throws(SystemError) { try flush() } catch { failure = error }
    if isOwned && Glibc.close(descriptor) != 0 && failure == nil { failure = .last("close", path) }
    if let failure { throw failure }
  }
}
