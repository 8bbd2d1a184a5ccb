import Audio
import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, `sonde play` does not start, does not follow, or does not end.
@Suite(.serialized) struct LiveRunTests {
  private let mirror = csd(
    """
    instr 1
     k1 chnget "in"
     chnset k1, "out"
    endin
    instr Blip
     chnset p4, "key"
    endin
    schedule 1, 0, -1
    """)

  private func live(_ text: String, _ slots: [EnginePatch.Slot] = []) -> EngineConfiguration {
    var given = configuration(text, slots: slots)
    given.output = .none
    given.priority = nil
    return given
  }

  /// Looks again and again for up to ten seconds: no test depends on how fast this machine is.
  private func eventually(_ condition: () -> Bool) -> Bool {
    let end = monotonicNow() + 10 * .perSecond
    while monotonicNow() < end {
      if condition() { return true }
      sleepUntil(monotonicNow() + 2_000_000)
    }
    return condition()
  }

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

  @Test(arguments: [Timing.steady, .asap])
  func commandsReachTheirChannels(timing: Timing) throws {
    var given = live(
      mirror, [.channel(name: "in", smoothing: 0), .channel(name: "out", smoothing: 0)])
    given.timing = timing
    given.accountCapacity = 100
    let engine = CsoundEngine(given)
    try engine.start()
    for step in 1...50 {
      engine.commands.push(
        EngineCommand(.value, time: monotonicNow(), slot: 0, value: Double(step)))
      sleepUntil(monotonicNow() + 1_000_000)
    }
    #expect(eventually { engine.channelValue(slot: 1) == 50 })
    #expect(engine.statistics.backend == "none")
    #expect(engine.statistics.rate == 48000)
    engine.stop()
    #expect(engine.completion == .stopped)
    #expect(engine.account.count == 50)
    #expect(engine.account.map(\.value) == (1...50).map { Double($0) })
  }

  /// Steady timing puts an event of time t into the k-cycle that contains t + L, whatever the wake-ups do.
  @Test(arguments: [64, 256, 1024], [32, 10, 100])
  func steadyTimingKeepsOneDelay(period: Int, ksmps: Int) throws {
    var given = live(
      csd("instr 1\nendin", ksmps: ksmps), [.channel(name: "in", smoothing: 0)])
    given.period = period
    given.accountCapacity = 1000
    let engine = CsoundEngine(given)
    try engine.start()
    for step in 0..<200 {
      // Odd distances, so that events fall everywhere in a k-cycle.
      sleepUntil(monotonicNow() + 1_370_000 + Nanoseconds(step % 17) * 53_000)
      engine.commands.push(EngineCommand(.value, time: monotonicNow(), slot: 0, value: 1))
    }
    #expect(eventually { engine.account.count == 200 })
    engine.stop()
    // Late ones, on a busy machine, are counted; all others begin in the k-cycle that contains t + L.
    let inTime = engine.account.filter { !$0.wasLate }
    #expect(engine.account.count - inTime.count == engine.statistics.lateCommands)
    #expect(inTime.count > 20)
    let cycle = Nanoseconds(ksmps) * .perSecond / 48000 + 1
    #expect(
      inTime.allSatisfy {
        let sounds = $0.time + $0.latency
        // An interruption moves the time of frames; by so little, nothing counts as late.
        return $0.frameTime <= sounds + 50_000 && sounds < $0.frameTime + cycle
      })
    // L: the buffer of two periods, half a millisecond or more, and a k-cycle where they do not divide the period.
    let buffer = Nanoseconds(2 * period) * .perSecond / 48000
    #expect(
      inTime.allSatisfy {
        $0.latency >= buffer + 500_000 && $0.latency <= buffer + 2 * cycle + 21_000_000
      })
  }

  /// With `asap` what arrives while a long period is computed must not wait for the next one.
  @Test func asapTakesWhatArrivesWhileAPeriodIsComputed() throws {
    // A k-cycle that takes a while, so that a period's k-cycles are spread over several milliseconds.
    let busy = csd(
      """
      instr 1
       kIndex = 0
       while kIndex < 3000 do
        kSine = sin(kIndex)
        kIndex += 1
       od
      endin
      schedule 1, 0, -1
      """)
    var given = live(busy, [.channel(name: "in", smoothing: 0)])
    given.timing = .asap
    given.period = 1024
    given.accountCapacity = 1000
    let engine = CsoundEngine(given)
    try engine.start()
    for _ in 0..<500 {
      sleepUntil(monotonicNow() + 700_000)
      engine.commands.push(EngineCommand(.value, time: monotonicNow(), slot: 0, value: 1))
    }
    #expect(eventually { engine.account.count == 500 })
    engine.stop()
    // Those that came in between are not at a period's start.
    #expect(engine.account.contains { $0.frame % 1024 != 0 })
  }

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

  @Test func stopWithHeldNotesEndsSoonFromSeveralThreads() throws {
    let engine = CsoundEngine(live(mirror, [.note(instrument: "Blip")]))
    try engine.start()
    engine.commands.push(EngineCommand(.noteOn, time: monotonicNow(), slot: 0, value: 1, key: 60))
    #expect(eventually { engine.statistics.heldNotes == 1 })
    let before = monotonicNow()
    engine.stop()
    engine.stop()
    #expect(engine.completion == .stopped)
    // 300 ms of release, two buffers; generous, since this machine may be busy.
    #expect(monotonicNow() - before < 5 * .perSecond)
    #expect(engine.statistics.heldNotes == 0)
  }

  @Test func aScoreWithAnEndFinishes() throws {
    let engine = CsoundEngine(live(csd("instr 1\nendin", score: "i 1 0 0.05\ne")))
    try engine.start()
    #expect(eventually { engine.completion != nil })
    #expect(engine.completion == .finished)
  }

  @Test func exitnowIsAFailureWithItsReason() throws {
    let engine = CsoundEngine(
      live(csd("instr 1\n exitnow 3\nendin\nschedule 1, 0.02, 1")))
    try engine.start()
    #expect(eventually { engine.completion != nil })
    guard case .failed(let error)? = engine.completion else {
      Issue.record("ended with \(String(describing: engine.completion))")
      return
    }
    #expect(error.message.contains("code 3"))
  }

  @Test func aWrongCSDFailsToStartAndLeavesNothing() throws {
    let threads = ProcessCounts.threads
    for _ in 0..<5 {
      let engine = CsoundEngine(live(csd("instr 1\n broken\nendin")))
      let error = #expect(throws: EngineError.self) { try engine.start() }
      #expect(error?.kind == .compile)
    }
    #expect(eventually { ProcessCounts.threads <= threads })
  }

  @Test func aSoundCardThatIsNotThereIsNamedWithTheWayOut() throws {
    var given = configuration(csd("instr 1\nendin", options: "-odac:hw:77"))
    given.priority = nil
    let engine = CsoundEngine(given)
    let error = #expect(throws: EngineError.self) { try engine.start() }
    #expect(error?.kind == .audio)
    #expect(error?.message.contains("hw:77") == true)
    #expect(error?.message.contains("--audio none") == true)
    #expect(error?.message.contains("--output") == true)
  }

  @Test(arguments: ["-odac -+rtaudio=null", "-n", "-dnm0", "--nosound"])
  func aCSDThatWantsNoSoundCardGetsNone(options: String) throws {
    var given = configuration(csd("instr 1\nendin", options: options))
    given.priority = nil
    let engine = CsoundEngine(given)
    try engine.start()
    #expect(engine.statistics.backend == "none")
    engine.stop()
  }

  /// Csound writes the file itself, and the music keeps its time.
  @Test(arguments: [["-o"], ["-iadc", "-o"], ["-W", "-o"]])
  func playWritesAFileWhereTheOptionsSaySo(options: [String]) throws {
    let path = "/tmp/sonde-played-\(monotonicNow()).wav"
    defer { try? removeFile(path) }
    var given = configuration(
      csd("instr 1\n outs a(0.25), a(-0.25)\nendin\nschedule 1, 0, 1", options: "-odac:hw:77"))
    given.options = options + [path]
    given.output = options.contains("-iadc") ? .none : .automatic
    given.priority = nil
    let engine = CsoundEngine(given)
    try engine.start()
    #expect(engine.statistics.backend == "none")
    #expect(eventually { engine.statistics.cycles > 100 })
    engine.stop()
    #expect(engine.completion == .stopped)
    let written = try SoundFileSummary(path)
    #expect(written.rate == 48000 && written.channels == 2 && written.frames > 3200)
    // 16 bits of a quarter of full scale.
    #expect(abs(written.peak - 0.25) < 0.001)
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
    #expect(heard.first?.contains("more than the 5.0 ms asked for") == true)
    #expect(heard.first?.contains("lower ksmps than 480") == true)
  }

  @Test func messagesComeAsWholeLines() throws {
    let engine = CsoundEngine(
      live(csd("instr 1\n prints \"one \"\n prints \"line\\n\"\nendin\nschedule 1, 0, 1")))
    try engine.start()
    var heard: [EngineMessage] = []
    #expect(
      eventually {
        heard += engine.service()
        return heard.contains { $0.text == "one line" && $0.kind == .orchestra }
      })
    engine.stop()
  }

  @Test func fiftyRunsLeaveThreadsAndDescriptorsAsTheyWere() throws {
    func once() throws {
      let engine = CsoundEngine(live(mirror, [.note(instrument: "Blip")]))
      try engine.start()
      engine.commands.push(
        EngineCommand(.noteOn, time: monotonicNow(), slot: 0, value: 1, key: 60))
      _ = engine.service()
      engine.stop()
    }
    try once()
    let threads = ProcessCounts.threads
    let descriptors = ProcessCounts.openDescriptors
    for _ in 0..<50 { try once() }
    // Other suites run beside this one and have engines of their own.
    #expect(eventually { ProcessCounts.threads <= threads + 2 })
    #expect(eventually { ProcessCounts.openDescriptors <= descriptors + 8 })
  }

  @Test func anEngineThatIsForgottenEnds() throws {
    func start() throws {
      let engine = CsoundEngine(live(mirror))
      try engine.start()
    }
    for _ in 0..<5 { try start() }
    let engine = CsoundEngine(live(mirror))
    try engine.start()
    engine.stop()
    #expect(throws: EngineError.self) { try engine.start() }
  }
}
