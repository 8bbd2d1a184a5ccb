/// One thing to say about a mapping: what, where, and what to do.
public struct Diagnostic: Sendable, Equatable {
  public enum Severity: String, Sendable {
    /// The mapping cannot be used.
    case error
    /// The mapping works, but probably not as meant.
    case warning
    /// For information.
    case note
  }

  /// A stretch of a file; lines and columns count from 1, columns in characters, the end is the first column behind.
  public struct Place: Sendable, Equatable {
    public var file: String
    public var line: Int
    public var column: Int
    public var endLine: Int
    public var endColumn: Int
    /// The whole line that `line` counts.
    public var text: String
  }

  /// A second place that explains the first one.
  public struct Related: Sendable, Equatable {
    public var sentence: String
    public var place: Place
  }

  public var id: DiagnosticID
  public var severity: Severity
  public var place: Place
  public var sentence: String
  /// What to do, or nil.
  public var hint: String?
  public var related: Related?
}
