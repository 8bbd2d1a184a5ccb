import Glibc

/// An open file of the system, closed when its owner goes.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for calls that want it; never close it.
  public let number: Int32

  /// Takes over `number`, which must be open and nobody else's.
  public init(owning number: Int32) {
    self.number = number
  }

  public enum Access: Sendable { case readOnly, writeOnly, readWrite }

  /// Opens a file or device that is there, close-on-exec.
  ///
  /// - Parameter nonBlocking: reads and writes that would wait fail with `ErrorNumber.wouldBlock` instead.
  /// - Throws: `SystemError` of `open`.
  public init(opening path: String, for access: Access = .readOnly, nonBlocking: Bool = false)
    throws(SystemError)
  {
    let mode =
      switch access {
      case .readOnly: O_RDONLY
      case .writeOnly: O_WRONLY
      case .readWrite: O_RDWR
      }
    try self.init(path: path, flags: mode | (nonBlocking ? O_NONBLOCK : 0))
  }

  init(path: String, flags: Int32, permissions: mode_t = 0o666) throws(SystemError) {
    var opened: Int32
    repeat {
      opened = open(path, flags | O_CLOEXEC, permissions)
    } while opened < 0 && errno == EINTR
    if opened < 0 {
      let number = ErrorNumber.last
      // What is to be created need not exist; its folder must.
      let isFolderMissing = number == .notFound && flags & O_CREAT != 0
      throw SystemError(number, call: "open", path: isFolderMissing ? folder(of: path) : path)
    }
    number = opened
  }

  deinit { _ = close(number) }

  /// Gives the number away; its taker closes it.
  public consuming func release() -> Int32 {
    let kept = number
    discard self
    return kept
  }
}

private func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Writes all of `bytes`, waiting where the reader is slow.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String)
  throws(SystemError)
{
  var done = 0
  while done < bytes.count {
    let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
    if count >= 0 {
      done += count
      continue
    }
    switch errno {
    case EINTR: continue
    case EAGAIN:
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&entry, 1, -1)
    default: throw .last("write", path)
    }
  }
}
