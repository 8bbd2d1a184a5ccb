import Audio
import Events
import Testing

/// If one of these fails, a change of the latency is heard: events come in heaps, or out of time for good.
@Suite struct SteadyLatencyTests {
  private let cycle: Nanoseconds = 666_667
  private let settled: Nanoseconds = 2_000_000_000

  /// The latency of each k-cycle of a minute, in which `change` may happen before any of them.
  private func minute(
    _ change: (Int, inout SteadyLatency) -> Void
  ) -> [Nanoseconds] {
    var latency = SteadyLatency(cycle: cycle, need: 10_000_000, start: 0)
    defer { latency.deallocate() }
    return (0..<90_000).map { number in
      change(number, &latency)
      latency.settle(at: Nanoseconds(number) * cycle)
      return latency.value
    }
  }

  /// How many k-cycles' events fall into each k-cycle: the distance of the moments up to which they are taken.
  private func eventSpans(_ latencies: [Nanoseconds]) -> [Nanoseconds] {
    zip(latencies, latencies.dropFirst()).map { cycle - ($1 - $0) }
  }

  @Test func isTheNeedAndTheMargin() {
    let latency = SteadyLatency(cycle: cycle, need: 10_000_000, start: 0)
    defer { latency.deallocate() }
    #expect(latency.value == 10_000_000 + cycle)
    #expect(latency.marginValue == cycle)
  }

  @Test func aGrowingMarginNeverHeapsEvents() {
    let latencies = minute { number, latency in
      if number > 10_000 { latency.observe(lateness: 6_000_000) }
    }
    #expect(latencies.last! > 16_000_000)
    // One k-cycle's events or none: no event overtakes another, and no two k-cycles' values fall together.
    #expect(eventSpans(latencies).allSatisfy { $0 == cycle || $0 == 0 })
  }

  @Test func aDeviceThatNeedsMoreGetsItAtOnce() {
    let latencies = minute { number, latency in
      if number == 20_000 { latency.change(need: 40_000_000) }
    }
    #expect(latencies[19_999] == 10_000_000 + cycle)
    #expect(latencies[20_000] == 40_000_000 + cycle)
  }

  @Test func aDeviceThatNeedsLessIsReachedInStepsOfOneCycle() {
    let latencies = minute { number, latency in
      if number == 20_000 { latency.change(need: 3_000_000) }
    }
    #expect(latencies.last == 3_000_000 + cycle)
    #expect(eventSpans(latencies).allSatisfy { $0 >= cycle && $0 <= 2 * cycle })
    let steps = latencies.indices.dropFirst().filter { latencies[$0] != latencies[$0 - 1] }
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(Nanoseconds(after - before) * cycle >= 100_000_000)
    }
  }

  @Test func aDelayThatADeviceAdmitsLaterIsTakenInSteps() {
    let latencies = minute { number, latency in
      latency.learn(need: number < 20_000 ? 10_000_000 : 15_000_000)
    }
    #expect(latencies.last == 15_000_000 + cycle)
    #expect(eventSpans(latencies).allSatisfy { $0 >= 0 && $0 <= cycle })
  }

  @Test func partsAddUp() {
    // 2×256 frames at 48 kHz are 10.667 ms; k-cycles of 100 frames do not divide the period: 2.083 ms more;
    // half a millisecond in whole k-cycles is one of 2.083 ms.
    let format = AudioFormat(rate: 48_000, channels: 2, deviceChannels: 2, period: 256, periods: 2)
    let parts = LatencyParts(format: format, ksmps: 100)
    #expect(parts.buffer == 10_666_667)
    #expect(parts.cycle == 2_083_334)
    #expect(parts.margin == 2_083_334)
    #expect(parts.total == 14_833_335)
    #expect(LatencyParts(format: format, ksmps: 32).cycle == 0)
    #expect(LatencyParts(format: format, ksmps: 32, timing: .asap).total == 10_666_667)
    // 512 frames behind the buffer: as long again.
    #expect(LatencyParts(format: format, ksmps: 32, addedFrames: 512).device == 10_666_667)
  }

  /// A gesture does not take the microphone's way, and who sings must know it.
  @Test func theMicrophonesWayIsAPartOfItsOwn() {
    let format = AudioFormat(rate: 48_000, channels: 2, deviceChannels: 2, period: 480, periods: 2)
    var parts = LatencyParts(format: format, ksmps: 32)
    #expect(parts.microphone == nil && !parts.sentence.contains("microphone"))
    let total = parts.total
    parts.capture = 13_000_000
    #expect(parts.total == total)
    #expect(parts.microphone == 33_000_000)
    #expect(
      parts.sentence
        == "buffer 20.0 ms, margin 0.7 ms; from the microphone 33.0 ms, with 13.0 ms of the capture device's own"
    )
    parts.capture = 0
    #expect(parts.sentence == "buffer 20.0 ms, margin 0.7 ms; from the microphone 20.0 ms")
  }
}
