import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, a mistake in a CSD or an option crashes Sonde, or is told in riddles.
@Suite struct BadCSDTests {
  private func failure(_ configuration: EngineConfiguration) -> EngineError? {
    var source = ListSource()
    do {
      _ = try OfflineRender(configuration, output: nil).run(&source, until: 10_000_000)
      return nil
    } catch {
      return error
    }
  }

  private func failure(file path: String) -> EngineError? {
    failure(EngineConfiguration(.file(path)))
  }

  private func withFile<Result>(_ content: [UInt8], _ body: (String) throws -> Result) throws
    -> Result
  {
    let path = "/tmp/sonde-test-\(monotonicNow()).csd"
    try writeFile(path, content)
    defer { try? removeFile(path) }
    return try body(path)
  }

  @Test func aMissingFileIsNamed() {
    let error = failure(file: "/tmp/no such.csd")
    #expect(error?.kind == .source)
    #expect(error?.message.contains("/tmp/no such.csd does not exist") == true)
  }

  @Test func aFolderIsNotACSD() {
    #expect(failure(file: "/tmp")?.message.contains("is a folder") == true)
  }

  @Test func aBinaryFileIsNotACSD() throws {
    try withFile([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2]) { path in
      #expect(failure(file: path)?.message.contains("binary") == true)
    }
  }

  @Test func textWithoutTagsIsNotACSD() throws {
    try withFile(Array("instr 1\nendin\n".utf8)) { path in
      #expect(failure(file: path)?.message.contains("<CsoundSynthesizer>") == true)
    }
    #expect(failure(file: "/dev/null") != nil)
  }

  /// The orchestra starts in line 10 of the CSD; the wrong opcode stands in line 11.
  @Test func aWrongOrchestraIsNamedWithItsLine() throws {
    let text = csd("instr 1\n a1 oscilii 1, 440\nendin")
    try withFile(Array(text.utf8)) { path in
      let error = failure(file: path)
      #expect(error?.kind == .compile)
      #expect(error?.message.hasPrefix("\(path):11: ") == true)
      #expect(error?.details.contains { $0.contains("oscilii") } == true)
    }
    let error = failure(configuration(text))
    #expect(error?.message.hasPrefix("test.csd:11: ") == true)
    #expect(error?.details.contains { $0.contains("/sonde-") } == false)
  }

  /// Each of these ends the process when it reaches Csound unchecked.
  @Test(arguments: [
    "i 1 0 1 [", "r", "}", "#include \"nothere\"", "#define A #", "/*", "b", " b ; 1", "v x", "B",
    "#undef X", "#undef",
  ])
  func aWrongScoreIsAnError(score: String) {
    #expect(failure(configuration(csd("instr 1\nendin", score: score)))?.kind == .compile)
  }

  @Test(arguments: [
    "--nonsense", "-9", "-b", "-o", "-m", "--format=bla", "-L", "-j", "-U", "--help", "--version",
    "--devices", "-z", "-C", "-I", "--use-system-sr", "-r-1", "--sample-rate=-1", "-b -2",
    "nonsense",
  ])
  func aWrongOptionIsAnError(option: String) {
    let inCSD = failure(configuration(csd("instr 1\nendin", options: option)))
    #expect(inCSD?.kind == .option)
    var given = configuration(csd("instr 1\nendin"))
    given.options = option.split(separator: " ").map(String.init)
    #expect(failure(given)?.kind == .option)
  }

  /// Csound 6.18 crashes with more channels than 1024.
  @Test func tooManyChannelsAreAnError() {
    var given = configuration(csd("instr 1\nendin"))
    given.options = ["--nchnls=1025"]
    #expect(failure(given)?.message.contains("nchnls is 1025") == true)
  }

  /// The share of time that computing takes grew without bound there, and ended the process.
  @Test func aKCycleMayBeLongerThanASecond() throws {
    var given = configuration(csd("instr 1\nendin"))
    given.options = ["-r7", "-k7"]
    let render = OfflineRender(given, output: nil)
    var source = ListSource()
    _ = try render.run(&source, until: 1000 * .perSecond)
    #expect(render.statistics.ksmps > render.statistics.rate)
    #expect(render.statistics.load <= 1)
  }

  @Test func scoresWithBasesAndMacrosPlay() throws {
    let score = "#define X #1#\nb 0.001\nv 2\ni 1 0 0.01\nb [0]\n#undef X"
    #expect(
      try channelValues(
        "x", configuration(csd("instr 1\n chnset 7, \"x\"\nendin", score: score)), [],
        until: 5_000_000
      ).last == 7)
  }

  /// What a live CSD asks for must not keep a render from running, nor open anything.
  @Test func devicesOfTheCSDAreNotTouchedOffline() throws {
    let text = csd(
      "instr 1\n a1 inch 1\n chnset 7, \"x\"\nendin\nschedule 1, 0, 1",
      options: "-odac:hw:77 -iadc -M0 -b-2 -B 1024 -+rtaudio=jack -+rtmidi=alsaseq")
    #expect(try channelValues("x", configuration(text), [], until: 5_000_000).last == 7)
  }

  @Test func anOptionOfTheCSDIsNamedWithItsLine() {
    let error = failure(configuration(csd("instr 1\nendin", options: "-d -b -2 ; comment")))
    #expect(error?.message.hasPrefix("test.csd:3: ") == true)
    #expect(error?.message.contains("-b-2") == true)
  }

  @Test func optionsOfTheCommandLineWin() throws {
    var given = configuration(csd("instr 1\nendin", options: "--ksmps=64 -r 44100 -k 689.0625"))
    given.options = ["--sample-rate=96000", "--ksmps=16", "--control-rate=6000"]
    let render = OfflineRender(given, output: nil)
    var source = ListSource()
    _ = try render.run(&source, until: 10_000_000)
    #expect(render.statistics.rate == 96000)
    #expect(render.statistics.ksmps == 16)
  }

  @Test func includesAreFoundBesideTheCSD() throws {
    let folder = "/tmp/sonde test \(monotonicNow())"
    try makeFolder(folder)
    try writeFile(folder + "/part.orc", Array("instr 1\n chnset 42, \"part\"\nendin\n".utf8))
    let text = csd("#include \"part.orc\"\nschedule 1, 0, 1")
    try writeFile(folder + "/whole.csd", Array(text.utf8))
    defer {
      try? removeFile(folder + "/part.orc")
      try? removeFile(folder + "/whole.csd")
    }
    #expect(
      try channelValues(
        "part", EngineConfiguration(.file(folder + "/whole.csd")), [], until: 600_000) == [42])
    #expect(
      try channelValues(
        "part", EngineConfiguration(.text(text, name: "t", folder: folder)), [], until: 600_000)
        == [42])
  }

  @Test(arguments: ["\r\n", "\n"])
  func linesEndAndTagsStandAsTheyLike(lineEnd: String) throws {
    let text =
      "\u{FEFF}"
      + csd(" instr 1\n chnset 7, \"x\"\n endin\n schedule 1, 0, 1", options: "-d ; quiet")
      .replacing("<Cs", with: "  <Cs").replacing("\n", with: lineEnd)
    #expect(try channelValues("x", configuration(text), [], until: 600_000) == [7])
  }

  @Test func exitnowEndsTheRunWithItsCode() throws {
    let text = csd(
      """
      instr 1
       k1 timeinstk
       if k1 == 5 then
        event "i", 2, 0, 1
       endif
      endin
      instr 2
       exitnow CODE
      endin
      schedule 1, 0, 3600
      """)
    let error = failure(configuration(text.replacing("CODE", with: "5")))
    #expect(error?.kind == .performance)
    #expect(error?.message.contains("code 5") == true)
    var source = ListSource()
    let completion = try OfflineRender(
      configuration(text.replacing("CODE", with: "0")), output: nil
    ).run(&source, until: 10_000_000)
    #expect(completion == .finished)
  }

  @Test func aRunAfterAFailedOneWorks() throws {
    for _ in 0..<10 {
      #expect(failure(configuration(csd("instr 1\n broken\nendin"))) != nil)
      #expect(try channelValues("x", configuration(csd("instr 1\nendin")), [], until: 1) == [0])
    }
  }
}
