import Glibc

/// A call of the operating system that failed: what was tried, and the system's own words.
public struct SystemCallError: Error, CustomStringConvertible {
  public let description: String

  init(_ attempt: String, code: Int32 = errno) {
    description = "\(attempt): \(String(cString: strerror(code)))"
  }
}
