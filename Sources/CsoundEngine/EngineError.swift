/// Why the engine did not start, or ended by itself: a sentence for the user, and Csound's own lines.
public struct EngineError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of thing is to blame.
  public enum Kind: Sendable, Equatable {
    /// The CSD is missing, a folder, unreadable or no CSD.
    case source
    /// An option of the CSD or of the command line.
    case option
    /// The orchestra or score is wrong.
    case compile
    /// Score text that was sent.
    case score
    /// What was asked for has no place now: nothing plays, or something plays already.
    case state
    /// The audio device cannot be opened or used.
    case audio
    /// The output file cannot be written.
    case output
    /// It compiled, and ended during performance.
    case performance
    /// The system refused a thread or a descriptor.
    case system
  }

  public var kind: Kind
  /// What happened, to which file, line, device or option, and what to do.
  public var message: String
  /// What Csound itself said, line by line; empty where Sonde found the fault.
  public var details: [String]

  public init(_ kind: Kind, _ message: String, details: [String] = []) {
    self.kind = kind
    self.message = message
    self.details = details
  }

  public var description: String { ([message] + details).joined(separator: "\n  ") }
}
