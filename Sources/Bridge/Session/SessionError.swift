public import CsoundEngine
import LinuxIO
public import Mapping

/// Why something could not be started, or ended by itself.
public enum SessionError: Error, Sendable, CustomStringConvertible {
  /// The mapping has mistakes; its diagnostics tell all of them.
  case mapping([Diagnostic])
  /// A file, device or the system refused something.
  case system(String)
  case engine(EngineError)
  case take(TakeError)

  static func system(_ error: SystemError) -> SessionError { .system(error.description + ".") }

  public var description: String {
    switch self {
    case .mapping(let diagnostics):
      diagnostics.map { $0.rendered() }.joined(separator: "\n")
    case .system(let sentence): sentence
    case .engine(let error): error.description
    case .take(let error): error.description
    }
  }
}
