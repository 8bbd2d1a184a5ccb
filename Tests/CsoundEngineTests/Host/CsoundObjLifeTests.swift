import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Synchronization
import Testing

/// If one of these fails, a program that plays Csound hangs, crashes, or is not told how its music ended.
@Suite struct CsoundObjLifeTests {
  private let endless = csd("instr 1\nout oscili(0.1, 440)\nendin\nschedule 1, 0, -1")

  @Test func aRunIsToldFromItsStartToItsEnd() throws {
    let csound = CsoundObj()
    let log = RunLog()
    csound.addListener(log)
    #expect(csound.state == .idle)
    try play(csound, endless)
    #expect(csound.state == .playing)
    csound.stop()
    #expect(csound.state == .idle)
    #expect(log.started == 1 && log.completed == [.stopped])
    // Nothing is left to stop, and the next run begins anew.
    csound.stop()
    try play(csound, endless)
    csound.stop()
    #expect(log.started == 2 && log.completed == [.stopped, .stopped])
  }

  @Test func aScoreThatEndsIsFinished() throws {
    let csound = CsoundObj()
    let log = RunLog()
    csound.addListener(log)
    try play(csound, csd("instr 1\nendin", score: "i1 0 0.05"))
    #expect(eventually { log.completed == [.finished] })
    #expect(csound.state == .idle)
  }

  @Test func whatDoesNotCompileIsThrownAndTold() throws {
    let csound = CsoundObj()
    let log = RunLog()
    csound.addListener(log)
    let error = #expect(throws: EngineError.self) {
      try play(csound, csd("instr 1\nout nosuch(1)\nendin"))
    }
    #expect(error?.kind == .compile)
    let failure = try #require(error)
    #expect(log.started == 0 && log.completed == [.failed(failure)])
    // The object is as good as new.
    try play(csound, endless)
    csound.stop()
  }

  @Test func aSecondPlayIsRefused() throws {
    let csound = CsoundObj()
    try play(csound, endless)
    let error = #expect(throws: EngineError.self) { try play(csound, endless) }
    #expect(error?.kind == .state)
    #expect(csound.state == .playing)
    csound.stop()
  }

  @Test func stopInABindingOrAListenerReturns() throws {
    let csound = CsoundObj()
    let log = RunLog()
    csound.addListener(log)
    let binding = csound.addBinding(TestBinding())
    var cycles = 0
    binding.onAfter = {
      cycles += 1
      if cycles == 10 { csound.stop() }
    }
    try play(csound, endless)
    #expect(eventually { log.completed == [.stopped] })
    csound.removeBinding(binding)

    final class Stopper: CsoundObjListener {
      func csoundObjStarted(_ csound: CsoundObj) { csound.stop() }
    }
    csound.addListener(Stopper())
    try play(csound, endless)
    #expect(eventually { log.completed == [.stopped, .stopped] })
  }

  @Test func aListenerMayPlayAgain() throws {
    final class Again: CsoundObjListener {
      let left = Atomic<Int>(3)
      let failures = Atomic<Int>(0)

      func csoundObjCompleted(_ csound: CsoundObj, _ completion: Completion) {
        if left.wrappingSubtract(1, ordering: .relaxed).newValue < 0 { return }
        do { try play(csound, csd("instr 1\nendin", score: "i1 0 0.01")) } catch {
          failures.add(1, ordering: .relaxed)
        }
      }
    }
    let csound = CsoundObj()
    let again = Again()
    csound.addListener(again)
    try play(csound, csd("instr 1\nendin", score: "i1 0 0.01"))
    #expect(eventually { again.left.load(ordering: .relaxed) < 0 })
    #expect(again.failures.load(ordering: .relaxed) == 0)
  }

  @Test func stopFromManyThreadsWaitsForTheEnd() throws {
    final class Stop: ThreadBody {
      let csound: CsoundObj
      let sawEnd = Atomic<Bool>(false)
      init(_ csound: CsoundObj) { self.csound = csound }
      func run() {
        csound.stop()
        sawEnd.store(csound.state == .idle, ordering: .relaxed)
      }
    }
    let csound = CsoundObj()
    try play(csound, endless)
    let stops = (0..<4).map { _ in Stop(csound) }
    let threads = try stops.map { try BackgroundTask.start($0) }
    for thread in threads { #expect(thread.wait(atMost: 10 * .perSecond)) }
    #expect(stops.allSatisfy { $0.sawEnd.load(ordering: .relaxed) })
  }

  @Test func anObjectThatNobodyHoldsEndsItsRun() throws {
    let cleaned = Atomic<Bool>(false)
    do {
      let csound = CsoundObj()
      let binding = csound.addBinding(TestBinding())
      binding.onCleanup = { cleaned.store(true, ordering: .relaxed) }
      try play(csound, endless)
    }
    #expect(eventually { cleaned.load(ordering: .relaxed) })
  }

  /// Threads, descriptors and memory stay as they are.
  @Test func runsLeaveNothingBehind() throws {
    let csound = CsoundObj()
    func round() throws {
      try play(csound, endless)
      csound.stop()
      #expect(throws: EngineError.self) { try play(csound, csd("instr 1\nnosuch\nendin")) }
    }
    for _ in 0..<5 { try round() }
    let memory = ProcessCounts.residentMemory
    for _ in 0..<Repetition.count(of: 500) { try round() }
    let growth = ProcessCounts.residentMemory - memory
    print("500 rounds or a tenth: \(growth / 1000) kB more")
    // A run holds 3 MB: had each left them behind, or a part of them, it would be far more.
    #expect(growth < 64_000_000)
  }

  @Test func timeStandsStillInAPause() throws {
    let csound = CsoundObj()
    try play(csound, csd("instr 1\nk1 timeinsts\nchnset k1, \"t\"\nendin\nschedule 1, 0, -1"))
    let time = try csound.controlChannel("t")
    #expect(eventually { time.value > 0.02 })
    csound.pause()
    #expect(csound.state == .paused)
    let statistics = { csound.statistics?.cycles ?? -1 }
    // The sound goes within five milliseconds of music.
    var last = -1
    #expect(
      eventually {
        defer { last = statistics() }
        sleepUntil(monotonicNow() + 30_000_000)
        return statistics() == last
      })
    let stood = time.value
    sleepUntil(monotonicNow() + 100_000_000)
    #expect(time.value == stood && statistics() == last)
    // What is asked for in the meantime is done.
    #expect(try csound.tableLength(1) == nil)
    csound.resume()
    #expect(eventually { time.value > stood + 0.02 })
    csound.pause()
    csound.stop()
    #expect(csound.state == .idle)
  }
}
