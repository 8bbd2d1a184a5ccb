import Synchronization

/// Everything that is said during a run, until CONTROL takes it.
final class MessageLog: Sendable {
  let ring = MessageRing()

  private struct State {
    var lines = MessageLines()
    var waiting: [EngineMessage] = []
    var recent: [EngineMessage] = []
  }

  private let state = Mutex(State())

  /// Moves what Csound printed from the ring to the waiting lines and returns the new ones. Not for realtime code.
  @discardableResult
  func collect(finishing: Bool = false) -> [EngineMessage] {
    state.withLock { state in
      var lines = state.lines.take(from: ring)
      if finishing, let last = state.lines.finish() { lines.append(last) }
      state.waiting += lines
      state.recent = Array((state.recent + lines).suffix(20))
      return lines
    }
  }

  /// The last lines of Csound's, taken or not: what an error that ends the run is explained with.
  var recent: [EngineMessage] {
    collect(finishing: true)
    return state.withLock { $0.recent }
  }

  /// Adds a sentence of Sonde's own.
  func add(_ message: EngineMessage) {
    state.withLock { $0.waiting.append(message) }
  }

  /// Takes all waiting lines.
  func take() -> [EngineMessage] {
    collect()
    return state.withLock { state in
      defer { state.waiting.removeAll() }
      return state.waiting
    }
  }
}
