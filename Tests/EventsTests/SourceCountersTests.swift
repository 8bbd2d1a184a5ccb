import Events
import Testing

/// If these fail, the statistics of a device say that a good cable is bad, or the other way round.
@Suite struct SourceCountersTests {
  private let ms: Nanoseconds = 1_000_000

  private func counted(_ body: (SourceCounters) -> Void) -> SourceStatistics {
    let counters = SourceCounters()
    defer { counters.deallocate() }
    body(counters)
    return counters.statistics
  }

  @Test func rateAndJitterAreThoseOfTheIntervals() {
    // 3, 5, 3, 5 … ms: 250 a second, 1 ms from the mean; the times that events carry are 4 ms apart.
    let statistics = counted { counters in
      var arrival: Nanoseconds = 0
      for number in 0...1000 {
        counters.note(arrival: arrival, time: Nanoseconds(number) * 4 * ms, read: .none)
        arrival += number % 2 == 0 ? 3 * ms : 5 * ms
      }
    }
    #expect(statistics.reports == 1001 && statistics.intervals == 1000)
    #expect(abs(statistics.rate - 250) < 1e-9)
    #expect(abs(statistics.jitter - 0.001) < 1e-9)
    #expect(statistics.steadyJitter < 1e-9)
  }

  @Test func aPauseIsNoJitter() {
    let statistics = counted { counters in
      for number in 0..<100 {
        let time = Nanoseconds(number) * 4 * ms + (number >= 50 ? 3_600_000 * ms : 0)
        counters.note(arrival: time, time: time, read: .none)
      }
    }
    #expect(statistics.intervals == 98)
    #expect(abs(statistics.rate - 250) < 1e-9 && statistics.jitter < 1e-9)
  }

  @Test func whatIsAheadOfItsTimeIsNotLate() {
    let statistics = counted { counters in
      for lateness in [-10, 0, 1, 3] as [Nanoseconds] {
        counters.note(arrival: 50 * ms, time: 50 * ms, read: 50 * ms + lateness * ms)
      }
    }
    #expect(statistics.worstLateness == 3 * ms)
    #expect(statistics.latenessSum == 4 * ms)
    #expect(abs(statistics.meanLateness - 0.001) < 1e-12)
  }

  @Test func missingSamplesAreSeenInTheSensorsClock() {
    let statistics = counted { counters in
      for number in 0..<200 {
        counters.noteAdvance((number % 20 == 10 ? 3 : 1) * 4 * ms)
      }
      // A pause, a clock that stands, samples of another rate: nothing is missing.
      counters.noteAdvance(900 * ms)
      counters.noteAdvance(0)
      for _ in 0..<100 { counters.noteAdvance(ms) }
    }
    #expect(statistics.lostSamples == 20)
  }

  @Test func aSlowerRateIsNotTakenForLossesForEver() {
    let statistics = counted { counters in
      for _ in 0..<100 { counters.noteAdvance(ms) }
      for _ in 0..<10_000 { counters.noteAdvance(4 * ms) }
    }
    #expect(statistics.lostSamples <= 24)
  }

  @Test func twoLivesOfASourceAddUp() {
    func life(_ reports: Int, step: Nanoseconds) -> SourceStatistics {
      counted { counters in
        for number in 0..<reports {
          let time = Nanoseconds(number) * step
          counters.note(arrival: time, time: time, read: time + ms)
        }
        counters.noteOverrun()
      }
    }
    var sum = life(101, step: 2 * ms)
    sum.add(life(101, step: 6 * ms))
    #expect(sum.reports == 202 && sum.intervals == 200 && sum.overruns == 2)
    #expect(abs(sum.rate - 250) < 1e-9)
    // 2 and 6 ms, equally often.
    #expect(abs(sum.jitter - 0.002) < 1e-9)
    #expect(sum.worstLateness == ms)
  }

  @Test func theClockIsTold() {
    var filter = ClockFilter(.clock)
    for number in 0..<2000 {
      let reading = Nanoseconds(number) * 4 * ms
      _ = filter.time(of: reading, arrival: reading + reading / 2000)
    }
    let statistics = counted { $0.noteClock(filter) }
    #expect(statistics.clock?.restarts == 0)
    #expect(abs((statistics.clock?.drift ?? 0) - 0.0005) < 1e-5)
    #expect(counted { _ in }.clock == nil)
  }
}
