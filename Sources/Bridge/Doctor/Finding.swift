/// One thing that `sonde doctor` looked at.
public struct Finding: Sendable, Equatable {
  public enum State: String, Sendable {
    /// Works.
    case good
    /// Works, but less well than it could.
    case warning
    /// Does not work.
    case missing
  }

  public var state: State
  /// What was looked at: two or three words.
  public var subject: String
  /// What was found: a sentence.
  public var detail: String
  /// The line to type that mends it, or nil.
  public var remedy: String?

  public init(_ state: State, _ subject: String, _ detail: String, remedy: String? = nil) {
    self.state = state
    self.subject = subject
    self.detail = detail
    self.remedy = remedy
  }
}
