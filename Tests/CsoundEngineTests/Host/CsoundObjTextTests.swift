import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Synchronization
import Testing

/// If one of these fails, text that a program sends to the music is lost, changed, or ends the program.
@Suite struct CsoundObjTextTests {
  private let counting = csd(
    """
    gkcount init 0
    instr 1
     icount chnget "notes"
     chnset icount + 1, "notes"
    endin
    instr Named
     chnset p4, "p4"
     Stext strget p5
     chnset Stext, "text"
    endin
    """)

  @Test func eventsStartNotes() throws {
    let csound = CsoundObj()
    try play(csound, counting)
    let notes = try csound.controlChannel("notes")
    try csound.sendScore("i1 0 0.01\ni1 0 0.01 ; two of them")
    #expect(eventually { notes.value == 2 })
    for text in ["semi;colon // and ünï \\\"code\\\"", "x", String(repeating: "long ", count: 200)]
    {
      try csound.sendScore("i \"Named\" 0 0.01 3 \"\(text)\"")
      #expect(
        eventually {
          (try? csound.text(ofChannel: "text")) == text.replacing("\\\"", with: "\"")
        }, "\((try? csound.text(ofChannel: "text")) ?? "")")
    }
    csound.stop()
  }

  /// Where the engine does not keep up, whoever sends is told so, and nothing of what was taken is lost.
  @Test func aFloodIsTakenWholeOrRefused() throws {
    let csound = CsoundObj()
    try play(csound, counting)
    let notes = try csound.controlChannel("notes")
    var sent = 0
    var refused = 0
    while sent < Repetition.count(of: 1_000_000) {
      do {
        try csound.sendScore("i1 0 0.001\n")
        sent += 1
      } catch {
        refused += 1
        #expect(error.kind == .state)
        sleepUntil(monotonicNow() + 2_000_000)
      }
    }
    let end = monotonicNow() + 120 * .perSecond
    while notes.value < Double(sent), monotonicNow() < end {
      sleepUntil(monotonicNow() + 10_000_000)
    }
    #expect(notes.value == Double(sent))
    csound.stop()
  }

  @Test func whatIsSentAfterTheEndIsRefused() throws {
    let csound = CsoundObj()
    #expect(throws: EngineError.self) { try csound.sendScore("i1 0 1") }
    try play(csound, counting)
    csound.stop()
    let error = #expect(throws: EngineError.self) { try csound.sendScore("i1 0 1") }
    #expect(error?.kind == .state && error?.message.contains("Nothing plays") == true)
    #expect(throws: EngineError.self) { try csound.updateOrchestra("instr 2\nendin") }
    #expect(throws: EngineError.self) { try csound.readTable(1) }
    #expect(throws: EngineError.self) { try csound.record(to: "/tmp/never.wav") }
  }

  @Test func newCodeAppliesToNewNotes() async throws {
    let csound = CsoundObj()
    let channel = try csound.controlChannel("who")
    try play(csound, csd("instr 1\nchnset k(1), \"who\"\nendin\nschedule 1, 0, -1"))
    #expect(eventually { channel.value == 1 })
    try await csound.compileOrchestra("instr 1\nchnset k(2), \"who\"\nendin")
    #expect(channel.value == 1, "the note that sounds keeps its code")
    try csound.sendScore("i-1 0 0\ni1 0.01 -1")
    #expect(eventually { channel.value == 2 })
    csound.stop()
  }

  @Test func wrongCodeIsNamedWithItsLineAndChangesNothing() async throws {
    let csound = CsoundObj()
    let said = Mutex<[String]>([])
    csound.onMessage { message in said.withLock { $0.append(message.text) } }
    let channel = try csound.controlChannel("who")
    try play(csound, csd("instr 1\nchnset k(1), \"who\"\nendin\nschedule 1, 0, -1"))
    var failure: EngineError?
    do { try await csound.compileOrchestra("instr 1\nchnset k(2), \"who\"\nnosuch 1\nendin") } catch
    {
      failure = error
    }
    #expect(failure?.kind == .compile)
    #expect(failure?.message.contains("line 3") == true, "\(String(describing: failure))")
    #expect(eventually { said.withLock { $0.contains { $0.contains("nosuch") } } })
    try csound.sendScore("i-1 0 0\ni1 0.01 -1")
    sleepUntil(monotonicNow() + 100_000_000)
    #expect(channel.value == 1)
    csound.stop()
    do { try await csound.compileOrchestra("instr 1\nendin") } catch { failure = error }
    #expect(failure?.kind == .state)
  }

  @Test func tablesAreReadAndWrittenWhilePlaying() throws {
    let csound = CsoundObj()
    let channel = try csound.controlChannel("point")
    try play(
      csound,
      csd(
        """
        gi1 ftgen 1, 0, 8, -2, 1, 2, 3, 4, 5, 6, 7, 8
        gi2 ftgen 2, 0, -5, -2, 9, 8, 7, 6, 5
        instr 1
         k1 table 3, 1
         chnset k1, "point"
        endin
        schedule 1, 0, -1
        """))
    #expect(try csound.tableLength(1) == 8)
    #expect(try csound.tableLength(2) == 5)
    #expect(try csound.readTable(1) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try csound.readTable(2) == [9, 8, 7, 6, 5])
    try csound.writeTable(1, [30, 40], at: 2)
    #expect(try csound.readTable(1) == [1, 2, 30, 40, 5, 6, 7, 8])
    #expect(eventually { channel.value == 40 })
    #expect(throws: EngineError.self) { try csound.writeTable(1, [1, 2], at: 7) }
    #expect(throws: EngineError.self) { try csound.writeTable(1, [1], at: -1) }
    #expect(throws: EngineError.self) { try csound.writeTable(3, [1]) }
    #expect(throws: EngineError.self) { try csound.readTable(3) }
    for number in [0, -1, Int(Int32.max), Int.max] {
      #expect(try csound.tableLength(number) == nil)
      #expect(throws: EngineError.self) { try csound.readTable(number) }
    }
    #expect(try csound.readTable(1) == [1, 2, 30, 40, 5, 6, 7, 8])
    csound.stop()
  }

  @Test func channelsTellWhatTheyAre() throws {
    let csound = CsoundObj()
    try play(
      csound,
      csd(
        """
        chn_k "cutoff", 1, 3, 3000, 60, 10000
        chn_k "count", 2, 1, 2, 0, 8
        chn_k "plain", 3
        chn_S "name", 1
        chn_a "sound", 2
        instr 1
         a1 = 0.25
         chnset a1, "sound"
        endin
        schedule 1, 0, -1
        """))
    let channels = try csound.declaredChannels()
    let cutoff = try #require(channels.first { $0.name == "cutoff" })
    #expect(cutoff.kind == .control && cutoff.isInput && !cutoff.isOutput)
    #expect(
      cutoff.hints?.scale == .exponential && cutoff.hints?.defaultValue == 3000
        && cutoff.hints?.least == 60 && cutoff.hints?.greatest == 10000)
    let count = try #require(channels.first { $0.name == "count" })
    #expect(count.isOutput && !count.isInput && count.hints?.scale == .integer)
    let plain = try #require(channels.first { $0.name == "plain" })
    #expect(plain.isInput && plain.isOutput && plain.hints == nil)
    #expect(channels.first { $0.name == "name" }?.kind == .string)
    #expect(channels.first { $0.name == "sound" }?.kind == .audio)
    #expect(
      eventually { (try? csound.samples(ofChannel: "sound")) == .init(repeating: 0.25, count: 32) })
    for text in ["", "a", "ünï \"quoted\"; // x", String(repeating: "é", count: 5000), "b"] {
      try csound.setText(text, ofChannel: "name")
      #expect(try csound.text(ofChannel: "name") == text)
    }
    #expect(throws: EngineError.self) { try csound.setText("a\0b", ofChannel: "name") }
    #expect(throws: EngineError.self) { try csound.text(ofChannel: "cutoff") }
    #expect(throws: EngineError.self) { try csound.setText("x", ofChannel: "sound") }
    #expect(throws: EngineError.self) { try csound.samples(ofChannel: "name") }
    csound.stop()
  }
}
