import EvdevInput
import Events
import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// A tilt that was even must not come in steps of three, and a pad that leaves must be gone after its last sample.
  @Suite struct UnevenSensors {
    /// Three reports at once every 12 ms, taken 4 ms apart by the pad's clock, as over a radio link.
    private func sendBursts(_ count: Int, _ pad: VirtualDualSense, after: () -> Void = {}) throws {
      var next = monotonicNow()
      for burst in 0..<count {
        for part in 0..<3 {
          let number = 3 * burst + part
          try pad.send(afterMicroseconds: 4000) { $0.gyro = [Int16(100 + number % 300), 0, 0] }
        }
        after()
        next += 12_000_000
        sleepUntil(next)
      }
    }

    @Test func burstsThatTheKernelStampsAreEvenAgain() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.motion))
      try sendBursts(Repetition.count(of: 2500), pad) { recording.read() }
      pause(seconds: 0.05)
      recording.read()
      let times = recording.events.filter { $0.kind == .frameEnd }.map(\.time)
      // The emulated machine is late now and then; what it does most of the time is asked.
      let errors = zip(times.dropFirst(), times).map { abs($0 - $1 - 4_000_000) }
      let settled = errors.dropFirst(errors.count / 3).sorted()
      let median = settled[settled.count / 2]
      let most = settled[settled.count * 9 / 10]
      let statistics = recording.reader.statistics
      let clock = try #require(statistics.clock)
      report(
        "bursts: jitter \((statistics.jitter * 1000).text(decimals: 2)) ms as the kernel saw it, "
          + "\((statistics.steadyJitter * 1000).text(decimals: 2)) ms as played; off by "
          + "\((Double(median) / 1e6).text(decimals: 3)) ms in the median, "
          + "\((Double(most) / 1e6).text(decimals: 3)) ms in 90 %; waits "
          + "\((Double(clock.delay) / 1e6).text(decimals: 2)) ms, drift "
          + "\((clock.drift * 1e6).text(decimals: 0)) ppm, \(clock.restarts) restarts, "
          + "\(statistics.rate.text(decimals: 1)) reports a second")
      #expect(statistics.jitter > 0.004)
      #expect(median <= 81_000)
      #expect(most <= 1_000_000)
      #expect(clock.delay >= 7_500_000)
      #expect(zip(times.dropFirst(), times).allSatisfy { $0 > $1 })
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func aPadThatLeavesInABurstLeavesAfterItsLastSample() throws {
      let folder = try LabFolder()
      let take = folder.file("bursts.take")
      let sonde = try SondeCommand.start("record", take)
      try #require(sonde.errors.waitForLine(seconds: 120) { $0.hasPrefix("Recording") } != nil)
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(sonde.errors.waitForLine(seconds: 60) { $0.hasPrefix("+ ") } != nil)
      try sendBursts(200, pad)
      try pad.send { $0.gyro = [777, 0, 0] }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
      try #require(sonde.errors.waitForLine(seconds: 60) { $0.hasPrefix("- ") } != nil)
      sonde.signal(SIGINT)
      #expect(sonde.waitForEnd(seconds: 60) == .exited(0), "\(sonde.errors.all)")
      #expect(!sonde.errors.all.contains("left out"), "\(sonde.errors.all)")
      let lines = try #require(TextFiles.read(take)).split(separator: "\n").map(String.init)
      #expect(lines.last?.hasSuffix(" unplugged") == true, "\(lines.suffix(3))")
      #expect(lines.count { $0.contains(" motion ") } >= 601 * 9 / 10)
      // 777 of 16 to the °/s, in rad/s.
      let turn = 777.0 / 16 * Double.pi / 180
      let last = try #require(lines.last { $0.contains(" motion ") })
      let gyro = try #require(last.split(separator: " ").dropFirst(6).first.flatMap { Double($0) })
      #expect(abs(gyro - turn) < 0.01, "\(last)")
    }
  }
}
