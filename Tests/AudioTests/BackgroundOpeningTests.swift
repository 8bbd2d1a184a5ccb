import LinuxIO
import Synchronization
import Testing

@testable import Audio

/// If one of these fails, a sound server that has stopped holds everything up, or keeps what nobody plays with.
@Suite struct BackgroundOpeningTests {
  /// A sound server that answers when it is told to.
  private final class Server: Sendable {
    let answers = Atomic<Bool>(false)
    let closed = Atomic<Int>(0)

    func open() -> Int {
      while !answers.load(ordering: .acquiring) { sleepUntil(monotonicNow() + 1_000_000) }
      return 7
    }

    func open(patience: Int64, isCancelled: () -> Bool) throws(AudioError) -> Int {
      try BackgroundOpening<Int>.open(
        subject: "The server", remedy: "restart it", patience: patience, isCancelled: isCancelled,
        { self.open() }, closing: { _ in self.closed.wrappingAdd(1, ordering: .releasing) })
    }

    func waitUntilClosed() {
      while closed.load(ordering: .acquiring) == 0 { sleepUntil(monotonicNow() + 1_000_000) }
    }
  }

  @Test(.timeLimit(.minutes(1))) func whatAnswersIsTheCallers() throws {
    let server = Server()
    server.answers.store(true, ordering: .releasing)
    #expect(try server.open(patience: 60_000_000_000, isCancelled: { false }) == 7)
    let closed = server.closed.load(ordering: .acquiring)
    #expect(closed == 0)
  }

  @Test(.timeLimit(.minutes(1))) func whatDoesNotAnswerIsGivenUpAndClosedWhenItComes() throws {
    let server = Server()
    let error = #expect(throws: AudioError.self) {
      try server.open(patience: 1_000_000, isCancelled: { false })
    }
    #expect(error?.description == "The server does not answer; restart it.")
    server.answers.store(true, ordering: .releasing)
    server.waitUntilClosed()
  }

  /// The wait would go on for an hour.
  @Test(.timeLimit(.minutes(1))) func whatIsCancelledIsNotWaitedFor() throws {
    let server = Server()
    #expect(throws: AudioError.self) {
      try server.open(patience: 3_600_000_000_000, isCancelled: { true })
    }
    server.answers.store(true, ordering: .releasing)
    server.waitUntilClosed()
  }

  @Test(.timeLimit(.minutes(1))) func aFailureIsPassedOn() throws {
    let error = #expect(throws: AudioError.self) {
      _ = try BackgroundOpening<Int>.open(
        subject: "The server", remedy: "restart it", patience: 60_000_000_000,
        isCancelled: { false },
        { () throws(AudioError) in throw AudioError("It is away.", isMissing: true) },
        closing: { _ in })
    }
    #expect(error == AudioError("It is away.", isMissing: true))
  }
}
