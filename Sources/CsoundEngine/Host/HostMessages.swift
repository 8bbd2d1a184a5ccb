import Synchronization

/// Those who read what the engine says.
final class HostMessages: Sendable {
  private struct Readers {
    var receive: (@Sendable (EngineMessage) -> Void)?
    var streams: [Int: AsyncStream<EngineMessage>.Continuation] = [:]
    var next = 0
  }

  private let readers = Mutex(Readers())

  var receive: (@Sendable (EngineMessage) -> Void)? {
    get { readers.withLock { $0.receive } }
    set { readers.withLock { $0.receive = newValue } }
  }

  func stream() -> AsyncStream<EngineMessage> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let number = readers.withLock { readers in
        readers.next += 1
        readers.streams[readers.next] = continuation
        return readers.next
      }
      continuation.onTermination = { [weak self] _ in
        self?.readers.withLock { _ = $0.streams.removeValue(forKey: number) }
      }
    }
  }

  /// Not under the lock: readers may do what they like.
  func deliver(_ message: EngineMessage) {
    let (receive, streams) = readers.withLock { ($0.receive, Array($0.streams.values)) }
    receive?(message)
    for stream in streams { stream.yield(message) }
  }
}
