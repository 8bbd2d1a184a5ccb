import LinuxIO

/// Ends what was started beside this program when it is interrupted (SIGINT, SIGTERM, SIGHUP), and then itself.
final class Interruption: ThreadBody, @unchecked Sendable {
  private let signals: SignalSource
  private let poll: EventPoll
  private var thread: RealtimeThread?

  /// Before any other thread; keep it to the end.
  init() throws(SystemError) {
    signals = try SignalSource()
    poll = try EventPoll(capacity: 1)
    do throws(ErrorNumber) { _ = try poll.add(signals.descriptor, tag: 0) } catch {
      throw SystemError(error, call: "epoll_ctl")
    }
    thread = try RealtimeThread(name: "bench-signals", priority: nil, body: self)
  }

  func run() {
    while true {
      poll.wait()
      guard let signal = signals.next() else { continue }
      BackgroundProgram.endAll()
      JACKServer.removeTraces()
      exitProcess(128 + signal.rawValue)
    }
  }
}
