import CLinux
import Glibc

/// Nanoseconds on CLOCK_MONOTONIC: the clock of every event.
@_noLocks
public func monotonicNow() -> Int64 { now(on: CLOCK_MONOTONIC) }

/// Nanoseconds that the calling thread has spent on a processor.
@_noLocks
public func threadProcessorTime() -> Int64 { now(on: CLOCK_THREAD_CPUTIME_ID) }

/// Nanoseconds that all threads of this process have spent on processors.
@_noLocks
public func processProcessorTime() -> Int64 { now(on: CLOCK_PROCESS_CPUTIME_ID) }

/// Sleeps until `time` on CLOCK_MONOTONIC; returns at once when it has passed.
@_noLocks
public func sleepUntil(_ time: Int64) {
  _unsafePerformance {
    var moment = timespec(
      tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    if time <= 0 { return }
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &moment, nil) == EINTR {}
  }
}

@_noLocks
private func now(on clock: clockid_t) -> Int64 {
  _unsafePerformance {
    var moment = timespec()
    clock_gettime(clock, &moment)
    return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
  }
}
