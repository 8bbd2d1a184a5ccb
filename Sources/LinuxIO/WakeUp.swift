import CLinux
import Glibc

/// Wakes a thread that waits in `EventPoll` (C: `eventfd`).
public final class WakeUp: Sendable {
  /// To register with `EventPoll`; readable after `signal` until `clear`.
  public let descriptor: Int32

  /// - Throws: `SystemError` of `eventfd`.
  public init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if descriptor < 0 { throw .last("eventfd") }
  }

  deinit { _ = close(descriptor) }

  /// Any thread, any number of times; never waits.
  @_noLocks
  public func signal() {
    RealtimeCalls.addOne(to: descriptor)
  }

  /// The waiting thread, before it looks at what it was woken for.
  @_noLocks
  public func clear() {
    _ = RealtimeCalls.takeCount(of: descriptor)
  }
}
