import CLinux
import Glibc

/// Nanoseconds on CLOCK_MONOTONIC: the clock of every event.
@_noLocks
public func monotonicNow() -> Int64 { RealtimeCalls.time(on: CLOCK_MONOTONIC) }

/// The shortest time that timers on CLOCK_MONOTONIC know, in nanoseconds (C: `clock_getres`).
public func monotonicResolution() -> Int64 {
  var time = timespec()
  clock_getres(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Nanoseconds that the calling thread has spent on a processor.
@_noLocks
public func threadProcessorTime() -> Int64 { RealtimeCalls.time(on: CLOCK_THREAD_CPUTIME_ID) }

/// Nanoseconds that all threads of this process have spent on processors.
@_noLocks
public func processProcessorTime() -> Int64 { RealtimeCalls.time(on: CLOCK_PROCESS_CPUTIME_ID) }

/// Sleeps until `time` on CLOCK_MONOTONIC; returns at once when it has passed.
@_noLocks
public func sleepUntil(_ time: Int64) {
  if time > 0 { RealtimeCalls.sleep(until: time) }
}
