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
    arm(max(time, 1), period)
  }

  /// Does not ring.
  @_noLocks
  public func cancel() { arm(0, 0) }

  /// How often it rang since the last call; it is silent then.
  @_noLocks
  @discardableResult
  public func clear() -> UInt64 {
    let number = descriptor
    return _unsafePerformance {
      var count: UInt64 = 0
      return read(number, &count, 8) == 8 ? count : 0
    }
  }

  @_noLocks
  private func arm(_ time: Int64, _ period: Int64) {
    let number = descriptor
    _unsafePerformance {
      var value = itimerspec()
      value.it_value.tv_sec = Int(time / 1_000_000_000)
      value.it_value.tv_nsec = Int(time % 1_000_000_000)
      value.it_interval.tv_sec = Int(period / 1_000_000_000)
      value.it_interval.tv_nsec = Int(period % 1_000_000_000)
      _ = timerfd_settime(number, Int32(TFD_TIMER_ABSTIME), &value, nil)
    }
  }
}
