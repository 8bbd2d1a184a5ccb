import Events
import Testing

@testable import Bridge

/// If these fail, a pad whose permissions come late stays dead, or the user is told about it too early or for ever.
@Suite struct RetryScheduleTests {
  private let millisecond: Nanoseconds = 1_000_000

  @Test func itTriesLessAndLessOften() {
    var schedule = RetrySchedule(at: 0)
    var tries: [Nanoseconds] = []
    var reports: [Nanoseconds] = []
    var now: Nanoseconds = 0
    while now < 9000 * millisecond {
      if schedule.failed(at: now) { reports.append(now / millisecond) }
      now = schedule.next
      tries.append(now / millisecond)
    }
    #expect(tries == [50, 150, 350, 750, 1550, 3150, 5150, 7150, 9150])
    #expect(reports == [3150])
    #expect(schedule.wasReported)
  }

  @Test func aChangeMakesItTryAtOnce() {
    var schedule = RetrySchedule(at: 0)
    for time in [0, 50, 150, 350] { _ = schedule.failed(at: Nanoseconds(time) * millisecond) }
    schedule.hurry()
    #expect(schedule.next <= 360 * millisecond)
    _ = schedule.failed(at: 360 * millisecond)
    #expect(schedule.next == 410 * millisecond)
  }
}
