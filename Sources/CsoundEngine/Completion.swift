/// How a run ended.
public enum Completion: Sendable, Equatable {
  /// The score came to its end, or the orchestra called `exitnow` with 0.
  case finished
  /// `stop` was called.
  case stopped
  case failed(EngineError)
}
