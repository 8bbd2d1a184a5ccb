import CsoundEngine
import Events
import Testing

/// If one of these fails, notes start beside their time where the CSD asks for exact frames.
@Suite struct SampleAccurateTests {
  /// The spans of frames in which there is sound.
  private func spans(
    _ commands: [EngineCommand], rate: Int, ksmps: Int, options: String, until end: Nanoseconds
  ) throws -> [Range<Int64>] {
    let text = csd(
      """
      instr Level
       aLevel init 1
       outs aLevel, aLevel
      endin
      """, options: options, rate: rate, ksmps: ksmps)
    var source = ListSource(commands)
    var spans: [Range<Int64>] = []
    var start: Int64?
    _ = try OfflineRender(
      configuration(text, slots: [.note(instrument: "Level")]), output: nil
    ).run(&source, until: end) { _ in
    } probe: { probe in
      for index in 0..<ksmps {
        let frame = probe.frame + Int64(index)
        if probe.output[index * 2] != 0 {
          start = start ?? frame
        } else if let begun = start {
          spans.append(begun..<frame)
          start = nil
        }
      }
    }
    return spans
  }

  private func on(_ time: Nanoseconds, key: Double) -> EngineCommand {
    EngineCommand(.noteOn, time: time, slot: 0, value: 100, key: key)
  }

  private func off(_ time: Nanoseconds, key: Double) -> EngineCommand {
    EngineCommand(.noteOff, time: time, slot: 0, key: key)
  }

  /// 100 notes at odd distances: a note every 57 to 77 ms, half of it silent.
  private func notes() -> [(on: Nanoseconds, off: Nanoseconds)] {
    var time: Nanoseconds = 30_000_000
    return (0..<100).map { number in
      time += 57_000_001 + Nanoseconds(number) * 7_919_333 % 20_000_000
      return (time, time + 25_000_003 + Nanoseconds(number) * 104_729 % 5_000_000)
    }
  }

  private func commands() -> [EngineCommand] {
    notes().enumerated().flatMap {
      [on($1.on, key: Double($0)), off($1.off, key: Double($0))]
    }
  }

  @Test(arguments: [44_100, 48_000], [1, 7, 10, 32, 64, 441])
  func notesStartOnTheirFrame(rate: Int, ksmps: Int) throws {
    let found = try spans(
      commands(), rate: rate, ksmps: ksmps, options: "--sample-accurate", until: 8_500_000_000)
    func frame(_ time: Nanoseconds) -> Int64 { time * Int64(rate) / 1_000_000_000 }
    let cycle = Int64(ksmps)
    // Ends fall on the next k-cycle: Csound knows no others.
    let expected = notes().map {
      frame($0.on)..<((frame($0.off) + cycle - 1) / cycle * cycle)
    }
    #expect(found == expected)
  }

  @Test(arguments: [44_100, 48_000], [1, 10, 32, 441])
  func notesStartWithTheirCycleWhereNothingIsAskedFor(rate: Int, ksmps: Int) throws {
    let found = try spans(
      commands(), rate: rate, ksmps: ksmps, options: "", until: 8_500_000_000)
    func cycleStart(_ time: Nanoseconds) -> Int64 {
      time * Int64(rate) / 1_000_000_000 / Int64(ksmps) * Int64(ksmps)
    }
    #expect(found == notes().map { cycleStart($0.on)..<cycleStart($0.off) })
  }

  /// There is no k-cycle before the first, which Csound needs for a start in the second half.
  @Test func theFirstCycleStartsItsNotesInItsFirstHalf() throws {
    // Frames 4 and 28 of 32.
    for (time, frame) in [(90_000, 4), (590_000, 15)] as [(Nanoseconds, Int64)] {
      let found = try spans(
        [on(time, key: 1), off(10_000_000, key: 1)], rate: 48_000, ksmps: 32,
        options: "--sample-accurate", until: 20_000_000)
      #expect(found == [frame..<480])
    }
  }

  @Test func onAndOffWithinOneCycleSoundUntilItsEnd() throws {
    // Frames 1000 and 1010; the k-cycle ends at 1024.
    let found = try spans(
      [on(20_834_000, key: 1), off(21_042_000, key: 1)], rate: 48_000, ksmps: 32,
      options: "--sample-accurate", until: 40_000_000)
    #expect(found == [1000..<1024])
  }
}
