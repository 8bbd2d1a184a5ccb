import Glibc
import LinuxIO
import Testing

/// Who loses this has events on a clock that the kernel's times cannot be compared with.
@Suite struct ClockTests {
  @Test func timeIsTheMonotonicClockAndSleepEndsAfterIt() {
    var moment = timespec()
    let before = monotonicNow()
    clock_gettime(CLOCK_MONOTONIC, &moment)
    let between = Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
    #expect(before <= between)
    #expect(between <= monotonicNow())
    sleepUntil(before + 3_000_000)
    #expect(monotonicNow() >= before + 3_000_000)
    sleepUntil(0)
  }
}
