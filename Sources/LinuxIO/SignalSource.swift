import CLinux
import Glibc

/// SIGINT, SIGTERM and SIGHUP as something to read (C: `signalfd`), instead of handlers.
public final class SignalSource {
  public enum Signal: Int32, Sendable, CaseIterable {
    case interrupt = 2
    case terminate = 15
    case hangUp = 1
  }

  /// To register with `EventPoll`.
  public let descriptor: Int32

  /// Blocks the signals in the calling thread and those that it starts later, and ignores those of
  /// writing; see `ignoreWriteSignals`.
  ///
  /// Make it before the first thread: an older thread would still be killed by them.
  /// - Throws: `SystemError` of `signalfd`.
  public init(_ signals: [Signal] = Signal.allCases) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.rawValue) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    ignoreWriteSignals()
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    if descriptor < 0 { throw .last("signalfd") }
  }

  deinit { _ = close(descriptor) }

  /// The next signal that came, or nil.
  public func next() -> Signal? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    if read(descriptor, &information, size) != size { return nil }
    return Signal(rawValue: Int32(bitPattern: information.ssi_signo))
  }
}

/// Makes writing to a reader that left (`EPIPE`) or beyond the largest size of files (`EFBIG`) an error instead of the
/// end of the process.
public func ignoreWriteSignals() {
  _ = signal(SIGPIPE, SIG_IGN)
  _ = signal(SIGXFSZ, SIG_IGN)
}
