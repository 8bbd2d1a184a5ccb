import Audio
import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, a buffer that somebody asked for is not had, or its price is not told.
@Suite(.serialized) struct LiveBufferTests {
  /// A buffer without measure took all memory; the longest that is asked for is 32 768 frames.
  @Test(arguments: ["-b999999999", "-B999999999"])
  func buffersAreBounded(option: String) throws {
    var given = live(mirror)
    given.options = [option]
    let engine = CsoundEngine(given)
    try engine.start()
    #expect(engine.statistics.period * engine.statistics.periods <= 32_768)
    engine.stop()
    #expect(engine.completion == .stopped)
  }

  /// At 7 Hz a buffer of 512 frames lasts for more than a minute, and Ctrl-C must not.
  @Test(arguments: [["-r7", "--ksmps=1"], ["-b16384", "-B32768"]])
  func aStopDoesNotWaitForALongBuffer(options: [String]) throws {
    var given = live(csd("instr 1\nendin"))
    given.options = options
    let engine = CsoundEngine(given)
    try engine.start()
    let start = monotonicNow()
    engine.stop()
    #expect(engine.completion == .stopped)
    // Five seconds where a busy machine stands still; the buffer would take 73, or go on.
    #expect(monotonicNow() - start < 5 * .perSecond)
  }

  @Test func aBufferThatIsTooLongIsCutWithASentence() throws {
    let (statistics, heard) = try notices(
      csd("instr 1\nendin", options: "-odac -b65536 -B262144"), latency: nil)
    #expect(statistics.period * statistics.periods <= 32_768)
    #expect(heard.contains { $0.contains("no longer ones") }, "\(heard)")
  }

  @Test func buffersOfTheCSDCount() throws {
    let engine = CsoundEngine(
      live(csd("instr 1\nendin", options: "-odac -b128 -B512")))
    try engine.start()
    #expect(engine.statistics.period == 128)
    #expect(engine.statistics.periods == 4)
    engine.stop()
  }

  private func notices(_ text: String, _ options: [String] = [], latency: Nanoseconds?) throws
    -> (EngineStatistics, [String])
  {
    var given = live(text)
    given.options = options
    given.latency = latency
    let engine = CsoundEngine(given)
    try engine.start()
    // A busy machine interrupts the sound; that is said too.
    let heard = engine.service().filter { $0.kind == .notice }.map(\.text)
      .filter { !$0.contains("interrupted") }
    let statistics = engine.statistics
    engine.stop()
    return (statistics, heard)
  }

  /// `--latency` is what the user says now, the CSD's buffer what its author once thought best.
  @Test func aLatencyThatIsAskedForWinsOverTheCSD() throws {
    let (statistics, heard) = try notices(
      csd("instr 1\nendin", options: "-odac -b1024 -B4096"), latency: 5_000_000)
    #expect(statistics.period == 96 && statistics.periods == 2)
    #expect(statistics.latencyParts.total <= 5_000_000)
    #expect(heard == [])
  }

  @Test func theBufferOfTheCommandLineWinsOverTheLatency() throws {
    let (statistics, heard) = try notices(
      csd("instr 1\nendin", options: "-odac"), ["-b128", "-B", "1024"], latency: 5_000_000)
    #expect(statistics.period == 128 && statistics.periods == 8)
    #expect(heard.count == 1 && heard[0].contains("--latency is not used"))
  }

  @Test func whatALargeBufferOfTheCSDCostsIsSaid() throws {
    // 4096 frames at 48 kHz are 85.3 ms, a k-cycle of margin is 0.7 ms.
    let (_, heard) = try notices(
      csd("instr 1\nendin", options: "-odac -b1024 -B4096"), latency: nil)
    #expect(heard.count == 1)
    #expect(heard.first?.contains("4×1024 frames") == true)
    #expect(heard.first?.contains("86.0 ms") == true)
    #expect(heard.first?.contains("--latency") == true)
  }

  @Test func aLatencyThatCannotBeHadIsExplained() throws {
    // One k-cycle of 480 frames is 10 ms.
    let (_, heard) = try notices(
      csd("instr 1\nendin", ksmps: 480), latency: 5_000_000)
    #expect(heard.count == 1)
    #expect(heard.first?.contains("more than the 5 ms asked for") == true)
    #expect(heard.first?.contains("lower ksmps than 480") == true)
    let (_, little) = try notices(csd("instr 1\nendin"), latency: 1000)
    #expect(little.first?.contains("more than the 0.001 ms asked for") == true)
  }
}
