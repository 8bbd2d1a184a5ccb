// Every call of the C library that INPUT and PERFORM make through this target, so that this file alone has to be read to
// know what they do there: none allocates or locks, and only `sleep`, `waitForPoll` and `wait` wait.
import CLinux
import Glibc

enum RealtimeCalls {
  /// C: `clock_gettime`.
  @_noLocks
  static func time(on clock: clockid_t) -> Int64 {
    _unsafePerformance {
      var moment = timespec()
      clock_gettime(clock, &moment)
      return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
    }
  }

  /// C: `clock_nanosleep`.
  @_noLocks
  static func sleep(until time: Int64) {
    _unsafePerformance {
      var moment = timespec(
        tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
      while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &moment, nil) == EINTR {}
    }
  }

  /// C: `epoll_ctl`; 0 or an errno.
  @_noLocks
  static func addToPoll(_ poll: Int32, _ added: Int32, _ readiness: UInt32, key: UInt64) -> Int32 {
    _unsafePerformance {
      var event = epoll_event()
      event.events = readiness
      event.data.u64 = key
      return epoll_ctl(poll, EPOLL_CTL_ADD, added, &event) == 0 ? 0 : errno
    }
  }

  /// C: `epoll_ctl`.
  @_noLocks
  static func removeFromPoll(_ poll: Int32, _ removed: Int32) {
    _unsafePerformance { _ = epoll_ctl(poll, EPOLL_CTL_DEL, removed, nil) }
  }

  /// C: `epoll_wait`; the number of events in `list`, or below 0.
  @_noLocks
  static func waitForPoll(
    _ poll: Int32, _ list: UnsafeMutablePointer<epoll_event>, _ size: Int32, milliseconds: Int32
  ) -> Int32 {
    _unsafePerformance { epoll_wait(poll, list, size, milliseconds) }
  }

  /// Adds one to an eventfd.
  @_noLocks
  static func addOne(to descriptor: Int32) {
    _unsafePerformance {
      var one: UInt64 = 1
      _ = write(descriptor, &one, 8)
    }
  }

  /// Takes the count of an eventfd or a timerfd, 0 if there is none.
  @_noLocks
  static func takeCount(of descriptor: Int32) -> UInt64 {
    _unsafePerformance {
      var count: UInt64 = 0
      return read(descriptor, &count, 8) == 8 ? count : 0
    }
  }

  /// C: `timerfd_settime`, with absolute times in nanoseconds.
  @_noLocks
  static func setTimer(_ descriptor: Int32, at time: Int64, every period: Int64) {
    _unsafePerformance {
      var value = itimerspec()
      value.it_value.tv_sec = Int(time / 1_000_000_000)
      value.it_value.tv_nsec = Int(time % 1_000_000_000)
      value.it_interval.tv_sec = Int(period / 1_000_000_000)
      value.it_interval.tv_nsec = Int(period % 1_000_000_000)
      _ = timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &value, nil)
    }
  }

  /// C: `sem_post`.
  @_noLocks
  static func post(_ semaphore: UnsafeMutablePointer<sem_t>) {
    _unsafePerformance { _ = sem_post(semaphore) }
  }

  /// C: `sem_clockwait`; false when the deadline passed.
  @_noLocks
  static func wait(for semaphore: UnsafeMutablePointer<sem_t>, until deadline: Int64) -> Bool {
    _unsafePerformance { sonde_wait_for_semaphore(semaphore, deadline) == 0 }
  }

  @_noLocks
  static func denormalsOff() -> UInt64 { _unsafePerformance { sonde_denormals_off() } }

  @_noLocks
  static func restoreDenormals(_ control: UInt64) {
    _unsafePerformance { sonde_restore_denormals(control) }
  }

  @_noLocks
  static func markRealtime(_ begins: Bool) {
    _unsafePerformance { begins ? sonde_realtime_enter() : sonde_realtime_exit() }
  }
}
