import Glibc

/// Reads a file piece by piece, whatever its size.
///
/// One thread at a time; not for realtime threads.
public final class FileReader {
  public let path: String
  /// To wait for, where it is a pipe; never close it.
  public let descriptor: Int32
  private let isOwned: Bool

  /// Opens the file at `path`; `-` is standard input.
  ///
  /// - Throws: `SystemError` when it is missing, a folder or unreadable.
  public init(_ path: String) throws(SystemError) {
    self.path = path == "-" ? "standard input" : path
    isOwned = path != "-"
    if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      // A folder opens, and only its read fails; say so before.
      if fileStatus(path)?.kind == .folder {
        throw SystemError(.isFolder, call: "open", path: path)
      }
      descriptor = try FileDescriptor(opening: path).release()
    }
  }

  deinit {
    if isOwned { _ = Glibc.close(descriptor) }
  }

  /// Reads some bytes into `buffer`, waiting for them where they are not there yet; 0 means the end.
  ///
  /// - Throws: `SystemError` of `read`.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw .last("read", path) }
    }
  }
}
