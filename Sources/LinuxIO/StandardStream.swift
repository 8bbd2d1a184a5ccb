import Glibc
import Synchronization

/// Standard output and standard error, unbuffered, without Foundation.
public struct StandardStream: TextOutputStream, Sendable {
  public static let output = StandardStream(STDOUT_FILENO)
  public static let error = StandardStream(STDERR_FILENO)

  public let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Why standard output lost something (a full disk), or nil; a reader that left (`sonde devices | head`) is no
  /// failure.
  public static var outputFailure: ErrorNumber? {
    let number = lastOutputFailure.load(ordering: .relaxed)
    return number == 0 ? nil : ErrorNumber(rawValue: number)
  }

  /// Writes `text`, as far as it can be written.
  public func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      do throws(SystemError) {
        try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, path: "")
      } catch {
        if descriptor == STDOUT_FILENO && error.number != .brokenPipe {
          lastOutputFailure.store(error.number.rawValue, ordering: .relaxed)
        }
      }
    }
  }

  /// Writes `text` and a line end in one call, so that lines of two threads do not mix.
  public func line(_ text: String) { write(text + "\n") }

  /// Whether a person reads it.
  public var isTerminal: Bool { isatty(descriptor) == 1 }
}

/// The value of an environment variable, or nil when it is not set.
public func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

private let lastOutputFailure = Atomic<Int32>(0)
