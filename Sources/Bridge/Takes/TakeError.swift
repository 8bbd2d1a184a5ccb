/// What is wrong with a take, where, and what to do about it.
public struct TakeError: Error, Sendable, Equatable, CustomStringConvertible {
  public var file: String
  /// The line, from 1; 0 where the whole file is meant.
  public var line: Int
  public var message: String

  public init(file: String, line: Int, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  public var description: String {
    line == 0 ? "\(file): \(message)" : "\(file):\(line): \(message)"
  }
}

/// What is wrong with one line, before its place is known.
struct TakeSyntaxError: Error, Equatable {
  var message: String

  init(_ message: String) { self.message = message }
}
