import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, `sonde render` ends at the wrong moment, or writes something else every time.
@Suite struct RenderTests {
  private let tone = csd(
    """
    instr 1
     a1 oscili p5 / 500, 220 + p4
     k1 chnget "pan"
     outs a1 * (1 - k1), a1 * k1
    endin
    """)

  private func temporary(_ name: String) -> String {
    "/tmp/sonde-test-\(monotonicNow())-\(name)"
  }

  private func events() -> ListSource {
    ListSource([
      EngineCommand(.noteOn, time: 1_000_000, slot: 1, value: 100, key: 60),
      EngineCommand(.value, time: 5_000_000, slot: 0, value: 0.25),
      EngineCommand(.value, time: 9_000_000, slot: 0, value: 0.75),
      EngineCommand(.noteOff, time: 90_000_000, slot: 1, key: 60),
    ])
  }

  private func render(_ path: String, until end: Nanoseconds? = 200_000_000) throws -> [UInt8] {
    var source = events()
    let given = configuration(
      tone, slots: [.channel(name: "pan", smoothing: 0.01), .note(instrument: "1")])
    _ = try OfflineRender(given, output: path).run(&source, until: end)
    let bytes = try readFile(path)
    try removeFile(path)
    return bytes
  }

  @Test(arguments: ["a.wav", "a.flac", "a.aiff"])
  func twoRendersAreTheSameBytes(name: String) throws {
    let first = try render(temporary(name))
    let second = try render(temporary(name))
    #expect(first.count > 1000)
    #expect(first == second)
  }

  /// 16-bit stereo at 48 kHz: 200 ms are 9600 frames (300 k-cycles), 38 400 bytes after the 44 of the header.
  @Test func endsAtTheGivenTime() throws {
    let bytes = try render(temporary("b.wav"))
    #expect(bytes.count == 44 + 38_400)
    #expect(Array(bytes[0..<4]) == Array("RIFF".utf8))
  }

  @Test func oggHoldsOgg() throws {
    let bytes = try render(temporary("c.ogg"))
    #expect(Array(bytes[0..<4]) == Array("OggS".utf8))
  }

  /// The source ends in the k-cycle of its last event (90 ms, k-cycle 135 at frame 4320): 2 s later is frame 100 320.
  @Test func anEndlessScoreEndsTwoSecondsAfterTheSource() throws {
    let bytes = try render(temporary("d.wav"), until: nil)
    #expect(bytes.count == 44 + 100_320 * 4)
  }

  @Test func aScoreWithAnEndPlaysToItsEnd() throws {
    let text = csd("instr 1\nendin", score: "i 1 0 0.1\ne")
    var source = ListSource()
    var cycles = 0
    let completion = try OfflineRender(configuration(text), output: nil).run(&source) { _ in
    } probe: { _ in
      cycles += 1
    }
    #expect(completion == .finished)
    #expect(cycles == 150)
  }

  @Test func theGivenEndWinsOverTheScore() throws {
    let text = csd("instr 1\nendin", score: "i 1 0 10\ne")
    var source = ListSource()
    var cycles = 0
    _ = try OfflineRender(configuration(text), output: nil).run(&source, until: 10_000_000) { _ in
    } probe: { _ in
      cycles += 1
    }
    #expect(cycles == 15)
  }

  @Test func cancelEndsAtTheNextCycle() throws {
    let render = OfflineRender(configuration(csd("instr 1\nendin", score: "f 0 z")), output: nil)
    var source = ListSource()
    var cycles = 0
    let completion = try render.run(&source) { _ in
    } probe: { _ in
      cycles += 1
      if cycles == 7 { render.cancel() }
    }
    #expect(completion == .stopped)
    #expect(cycles == 7)
  }

  @Test func anOutputOfUnknownTypeIsRefused() {
    var source = ListSource()
    let error = #expect(throws: EngineError.self) {
      _ = try OfflineRender(configuration(tone), output: "/tmp/x.mp9").run(&source)
    }
    #expect(error?.kind == .output)
    #expect(error?.message.contains(".flac") == true)
  }

  @Test func anOutputThatCannotBeWrittenIsNamed() {
    var source = ListSource()
    let error = #expect(throws: EngineError.self) {
      _ = try OfflineRender(configuration(tone), output: "/nonexistent/x.wav").run(&source)
    }
    #expect(error?.kind == .output)
    #expect(error?.message.contains("/nonexistent/x.wav") == true)
  }

  @Test func outputOfTheOrchestraIsInUnitsOfFullScale() throws {
    let text = csd("instr 1\n outall a(16384)\nendin\nschedule 1, 0, 3600")
      .replacing("0dbfs = 1", with: "0dbfs = 32768")
    var source = ListSource()
    var samples: [Double] = []
    _ = try OfflineRender(configuration(text), output: nil).run(&source, until: 1_000_000) { _ in
    } probe: {
      samples = Array($0.output)
    }
    #expect(samples == Array(repeating: 0.5, count: 64))
  }
}
