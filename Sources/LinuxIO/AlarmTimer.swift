import CLinux
import Glibc

/// Becomes readable at a moment on CLOCK_MONOTONIC (C: `timerfd`).
public final class AlarmTimer: Sendable {
  /// To register with `EventPoll`.
  public let descriptor: Int32

  /// - Throws: `SystemError` of `timerfd_create`.
  public init() throws(SystemError) {
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    if descriptor < 0 { throw .last("timerfd_create") }
  }

  deinit { _ = close(descriptor) }

  /// Rings at `time`, at once if that has passed, and then every `period` nanoseconds if that is not 0.
  @_noLocks
  public func set(at time: Int64, every period: Int64 = 0) {
    // 0 would disarm it.
    RealtimeCalls.setTimer(descriptor, at: max(time, 1), every: period)
  }

  /// Does not ring.
  @_noLocks
  public func cancel() { RealtimeCalls.setTimer(descriptor, at: 0, every: 0) }

  /// How often it rang since the last call; it is silent then.
  @_noLocks
  @discardableResult
  public func clear() -> UInt64 { RealtimeCalls.takeCount(of: descriptor) }
}
