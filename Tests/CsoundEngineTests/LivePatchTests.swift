import Audio
import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, a mapping that changes in the middle of the music is heard wrong.
@Suite(.serialized) struct LivePatchTests {
  @Test func aPatchIsSwitchedInTheStream() throws {
    let engine = CsoundEngine(
      live(mirror, [.channel(name: "in", smoothing: 0), .note(instrument: "Blip")]))
    try engine.start()
    let now = monotonicNow()
    engine.install(
      EnginePatch(
        generation: 2,
        slots: [.channel(name: "other", smoothing: 0), .channel(name: "in", smoothing: 0)]))
    engine.commands.push(EngineCommand(.noteOn, time: now, slot: 1, value: 100, key: 60))
    engine.commands.push(EngineCommand(.value, time: now, slot: 0, value: 1))
    engine.commands.push(EngineCommand(.switch, time: now, slot: 2))
    // Stamped before the switch, and yet after it in the stream: it belongs to the new patch.
    engine.commands.push(EngineCommand(.value, time: now - 1000, slot: 0, value: 2))
    #expect(eventually { engine.channelValue(slot: 0) == 2 && engine.generation == 2 })
    #expect(eventually { engine.channelValue(slot: 1) == 1 })
    // The note's slot is a channel now, so the note was released.
    #expect(eventually { engine.statistics.heldNotes == 0 })
    engine.stop()
  }

  @Test func manyReloadsLeaveNothingBehind() throws {
    let engine = CsoundEngine(live(mirror, [.channel(name: "in", smoothing: 0)]))
    try engine.start()
    for generation in 2...200 {
      engine.install(
        EnginePatch(
          generation: generation,
          slots: (0..<100).map { .channel(name: "c\($0)", smoothing: 0.01) }))
      engine.commands.push(EngineCommand(.switch, time: monotonicNow(), slot: generation))
      #expect(eventually { engine.generation == generation })
      _ = engine.service()
    }
    #expect(engine.statistics.refusedCommands == 0)
    engine.stop()
  }

  @Test func aSwitchWithoutItsPatchIsReportedAndKeepsTheOldOne() throws {
    let engine = CsoundEngine(live(mirror, [.channel(name: "in", smoothing: 0)]))
    try engine.start()
    engine.commands.push(EngineCommand(.switch, time: monotonicNow(), slot: 9))
    engine.commands.push(EngineCommand(.value, time: monotonicNow(), slot: 0, value: 3))
    #expect(eventually { engine.channelValue(slot: 0) == 3 })
    #expect(engine.generation == 1)
    var heard: [EngineMessage] = []
    #expect(
      eventually {
        heard += engine.service()
        return heard.contains { $0.kind == .notice && $0.text.contains("mapping 9") }
      })
    engine.stop()
  }

  @Test func unknownInstrumentOfALaterPatchIsNamed() throws {
    let engine = CsoundEngine(live(mirror))
    try engine.start()
    engine.install(EnginePatch(generation: 2, slots: [.note(instrument: "Nobody")]))
    engine.commands.push(EngineCommand(.switch, time: monotonicNow(), slot: 2))
    engine.commands.push(EngineCommand(.noteOn, time: monotonicNow(), slot: 0, value: 1, key: 60))
    var heard: [EngineMessage] = []
    #expect(
      eventually {
        heard += engine.service()
        return heard.contains { $0.text.contains("no instrument Nobody") }
      })
    #expect(eventually { engine.statistics.refusedCommands == 1 })
    engine.stop()
  }
}
