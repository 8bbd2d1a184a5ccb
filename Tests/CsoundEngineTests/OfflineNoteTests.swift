import CsoundEngine
import Events
import Testing

/// If one of these fails, notes hang, are cut short, or never sound.
@Suite struct OfflineNoteTests {
  // Counts its starts and its k-cycles; `key` and `velocity` are those of the last note.
  private let counting = csd(
    """
    gkNow init 0
    giStarts init 0
    instr Blip, 5
     giStarts = giStarts + 1
     chnset giStarts, "starts"
     chnset p4, "key"
     chnset p5, "velocity"
     chnset p1, "p1"
     gkNow = gkNow + 1
    endin
    instr 99
     chnset gkNow, "sounding"
     gkNow = 0
    endin
    schedule 99, 0, 3600
    """)
  private let cycle: Nanoseconds = 666_667

  private func run(
    _ commands: [EngineCommand], slots: [EnginePatch.Slot] = [.note(instrument: "Blip")],
    cycles: Int = 20
  ) throws -> (sounding: [Double], starts: Double, key: Double, velocity: Double) {
    var sounding: [Double] = []
    var last = (0.0, 0.0, 0.0)
    var source = ListSource(commands)
    _ = try OfflineRender(configuration(counting, slots: slots), output: nil).run(
      &source, until: Nanoseconds(cycles) * 666_666
    ) { _ in
    } probe: {
      sounding.append($0.channel("sounding"))
      last = ($0.channel("starts"), $0.channel("key"), $0.channel("velocity"))
    }
    return (sounding, last.0, last.1, last.2)
  }

  private func on(_ cycle: Int, slot: Int = 0, key: Double = 60, velocity: Double = 100)
    -> EngineCommand
  {
    EngineCommand(
      .noteOn, time: Nanoseconds(cycle) * self.cycle + 1000, slot: slot, value: velocity, key: key)
  }

  private func off(_ cycle: Int, slot: Int = 0, key: Double = 60) -> EngineCommand {
    EngineCommand(
      .noteOff, time: Nanoseconds(cycle) * self.cycle + 2000, slot: slot, key: key)
  }

  @Test func noteSoundsFromItsOnToItsOff() throws {
    let result = try run([on(3, key: 64, velocity: 90), off(8)].map { $0 }, cycles: 12)
    #expect(result.starts == 1)
    #expect(result.key == 64)
    #expect(result.velocity == 90)
    // The off had another key: the note goes on.
    #expect(result.sounding == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    let ended = try run([on(3), off(8)], cycles: 12)
    #expect(ended.sounding == [0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0])
  }

  @Test func onAndOffInOneCycleLastOneCycle() throws {
    let result = try run([on(3), off(3)], cycles: 8)
    #expect(result.starts == 1)
    #expect(result.sounding == [0, 0, 0, 1, 0, 0, 0, 0])
  }

  @Test func keysOfOneSlotAreNotesOfTheirOwn() throws {
    let result = try run(
      [on(1, key: 60), on(2, key: 64), off(4, key: 60), off(6, key: 64)], cycles: 9)
    #expect(result.sounding == [0, 1, 2, 2, 1, 1, 0, 0, 0])
  }

  @Test func anotherOnForAHeldNoteStartsItAgain() throws {
    let result = try run([on(1), on(4), off(6)], cycles: 9)
    #expect(result.starts == 2)
    #expect(result.sounding == [0, 1, 1, 1, 1, 1, 0, 0, 0])
  }

  @Test func everyPressOfATrillInOneCycleIsHeard() throws {
    let result = try run([on(2), off(2), on(2), off(2), on(2), off(2)], cycles: 7)
    #expect(result.starts == 3)
    #expect(result.sounding[4...].allSatisfy { $0 == 0 })
  }

  @Test func panicReleasesEverything() throws {
    let result = try run(
      [
        on(1, key: 60), on(1, key: 61), on(2, slot: 1, key: 60),
        EngineCommand(.panic, time: 5 * cycle + 5, slot: 0),
      ], slots: [.note(instrument: "Blip"), .note(instrument: "5")], cycles: 8)
    #expect(result.sounding == [0, 2, 3, 3, 3, 0, 0, 0])
  }

  @Test func manyHeldNotesAllEnd() throws {
    let keys = (0..<500).map { Double($0) }
    let result = try run(
      keys.map { on(1, key: $0) } + keys.map { off(4, key: $0) }, cycles: 8)
    #expect(result.sounding == [0, 500, 500, 500, 0, 0, 0, 0])
  }

  @Test func unknownInstrumentIsNamedAndItsNotesAreDropped() throws {
    var heard: [EngineMessage] = []
    var source = ListSource([on(1), off(2)])
    let render = OfflineRender(
      configuration(counting, slots: [.note(instrument: "Blob")]), output: nil)
    _ = try render.run(&source, until: 10 * cycle) { heard.append($0) }
    #expect(
      heard.contains { $0.kind == .notice && $0.text.contains("no instrument Blob") })
    #expect(render.statistics.refusedCommands == 1)
  }

  @Test(arguments: ["a\"b", "", "x y", "a\nb", "0", "-1", "1.5"])
  func impossibleInstrumentNamesAreRefused(name: String) throws {
    var source = ListSource([on(1), off(2)])
    let render = OfflineRender(
      configuration(counting, slots: [.note(instrument: name)]), output: nil)
    _ = try render.run(&source, until: 10 * cycle)
    #expect(render.statistics.refusedCommands == 1)
  }
}
