import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// A rhythm played on a pad must sound as it was played, whatever the buffer of the sound card.
  @Suite struct SteadyTiming {
    private static let rate = 48_000.0
    private static let ksmps = 32
    /// Long, so that the emulation seldom misses it; jitter must not depend on it.
    private static let buffer = 4096
    private static let cycle = Double(ksmps) / rate * 1e9

    @Test(arguments: [256, 1024])
    func onsetsKeepTheirDistanceFromTheirEvents(period: Int) throws {
      let csd = LabOrchestra.csd(
        LabOrchestra.counter,
        options: "-odac:hw:\(SoundCardStatus.dummyCard) -b\(period) -B\(Self.buffer) -d",
        ksmps: Self.ksmps)
      var configuration = EngineConfiguration(
        .text(csd, name: "lab.csd", folder: "/tmp"),
        patch: EnginePatch(generation: 1, slots: [.note(instrument: "Press")]))
      configuration.accountCapacity = 4096
      let engine = CsoundEngine(configuration)
      try engine.start()
      let positions = try CardPositionRecording(card: SoundCardStatus.dummyCard)
      #expect(
        engine.statistics.period == period && engine.statistics.periods == Self.buffer / period)

      let events = Repetition.count(of: 300)
      // Sonde learns its margin in the first two seconds.
      let warmUp = 150
      for number in 0..<(warmUp + events) {
        // 5 to 25 ms apart: no multiple of anything.
        pause(seconds: 0.005 + Double(number * 7919 % 20_001) / 1e6)
        let kind: EngineCommand.Kind = number % 2 == 0 ? .noteOn : .noteOff
        #expect(
          engine.commands.push(
            EngineCommand(kind, time: monotonicNow(), slot: 0, value: 100, key: 60)))
        _ = engine.service()
      }
      #expect(wait(seconds: 30) { engine.account.count == warmUp + events ? () : nil } != nil)
      pause(seconds: 0.5)
      let statistics = engine.statistics
      let runs = positions.finish(rate: Self.rate)
      engine.stop()

      let account = engine.account.dropFirst(warmUp)
      let onTime = account.filter { !$0.wasLate }
      var byEngine: [Double] = []
      var byDriver: [Double] = []
      var seen = 0
      var lastShift = 0.0
      for run in runs {
        // Where one run ends and the next begins, what was pending is late, and when the first buffer will
        // play is only guessed.
        let inside = onTime.filter {
          $0.frameTime > run.start + 250_000_000 && $0.frameTime < run.end
        }
        guard inside.count > 1 else { continue }
        seen += inside.count
        let told = inside.map { Double($0.frameTime - $0.time - $0.latency) }
        byEngine.append(told.max()! - told.min()!)
        // The card counts from the start of its run, the engine from that of its own: one whole number apart.
        let shifts = inside.map {
          (Double($0.frameTime) - run.origin) / 1e9 * Self.rate - Double($0.frame)
        }.sorted()
        let shift = shifts[shifts.count / 2].rounded()
        lastShift = shift
        let onsets = inside.map {
          run.origin + (Double($0.frame) + shift) / Self.rate * 1e9 - Double($0.time)
            - Double($0.latency)
        }
        byDriver.append(onsets.max()! - onsets.min()!)
      }
      let jitter = try #require(byEngine.max(), "the card never ran: \(statistics)")
      let driverJitter = try #require(byDriver.max(), "the card never ran: \(statistics)")
      report(
        "period \(period): \(account.count) events, \(onTime.count) in time, \(statistics.xruns) xruns, "
          + "latency \((Double(statistics.latency) / 1e6).text(decimals: 1)) ms, onset jitter "
          + "\((jitter / Self.cycle).text(decimals: 2)) k-cycles by the engine's account, "
          + "\((driverJitter / Self.cycle).text(decimals: 2)) by the driver's position "
          + "(\(seen) events in \(byDriver.count) runs)")
      if statistics.xruns == 0 {
        // The engine knows which frame was the card's first, so its idea of when a frame plays can be checked too.
        lastShift += Double(statistics.deviceOrigin)
        report(
          "period \(period): the engine's time of a frame is \(Int(lastShift)) frames off the driver's"
        )
        #expect(abs(lastShift) <= Double(2 * Self.ksmps))
      }
      #expect(jitter <= 2 * Self.cycle)
      #expect(driverJitter <= 2 * Self.cycle)
      #expect(onTime.count * 10 >= account.count * 9)
      #expect(seen * 3 >= account.count)
    }
  }
}
