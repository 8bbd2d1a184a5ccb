import Audio
import CsoundEngine
import Events
import LinuxIO
import Testing

/// If one of these fails, `sonde play` does not start, does not follow, or does not end.
@Suite(.serialized) struct LiveRunTests {
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
