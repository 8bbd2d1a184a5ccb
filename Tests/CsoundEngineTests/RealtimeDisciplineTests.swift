import Audio
import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, the sound may click for no reason that its player could find.
@Suite(.serialized) struct RealtimeDisciplineTests {
  private func held(_ orchestra: String, _ slots: [EnginePatch.Slot]) -> EngineConfiguration {
    live(csd("instr 1\n\(orchestra)\nendin\nschedule 1, 0, -1"), slots)
  }

  /// Half of the smallest normal number is a denormal one, with which a processor may need 100 times as long.
  @Test func denormalsAreZeroWhereCsoundComputes() throws {
    let engine = CsoundEngine(
      held(
        "kIn chnget \"in\"\nkOut = kIn * 0.5\nchnset kOut, \"out\"",
        [.channel(name: "in", smoothing: 0), .channel(name: "out", smoothing: 0)]))
    try engine.start()
    engine.commands.push(EngineCommand(.value, time: monotonicNow(), slot: 0, value: 4))
    #expect(eventually { engine.channelValue(slot: 1) == 2 })
    engine.commands.push(
      EngineCommand(
        .value, time: monotonicNow(), slot: 0, value: .leastNormalMagnitude))
    #expect(eventually { engine.channelValue(slot: 1) != 2 })
    #expect(engine.channelValue(slot: 1) == 0)
    engine.stop()
  }

  /// Rings, queues, code and stack are in memory before the first k-cycle, also where memory may not be locked.
  ///
  /// Notes are left out: what they allocate is Csound's, and goes into memory that only a whole program reserves.
  @Test func commandsCostNoPageFault() throws {
    let engine = CsoundEngine(
      held(
        "kIn chnget \"c7\"\naSine poscil 0.1, 440 + kIn\nouts aSine, aSine",
        (0..<200).map { .channel(name: "c\($0)", smoothing: $0 % 2 == 0 ? 0 : 0.02) }))
    try engine.start()
    let start = monotonicNow()
    var time = start
    // Three seconds at 10 kHz: the rings of 16 384 places are gone through.
    while engine.statistics.performThread.time < 2 * .perSecond && time < start + 30 * .perSecond {
      for slot in 0..<50 {
        engine.commands.push(
          EngineCommand(
            .value, time: monotonicNow(), slot: (Int(time / 1000) + slot) % 200,
            value: Double(slot)))
      }
      time += 5_000_000
      sleepUntil(time)
      _ = engine.service()
    }
    engine.stop()
    let thread = engine.statistics.performThread
    #expect(engine.statistics.droppedCommands == 0)
    #expect(thread.time >= 2 * .perSecond && thread.waits > 0)
    #expect(thread.minorFaults == 0)
    #expect(thread.majorFaults == 0)
  }
}
