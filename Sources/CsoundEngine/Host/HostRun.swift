import Events
import LinuxIO
import Synchronization

/// One run of a `CsoundObj`: its engine, the host's part in it, and the thread that looks after both.
final class HostRun: ThreadBody, @unchecked Sendable {
  let engine: CsoundEngine
  let work: HostWork
  // The object holds the run, and ends it when nobody holds the object.
  private weak let csound: CsoundObj?
  private let said: HostMessages
  private let compilations = Mutex(Compilations())
  // The thread that looks after the run, while there is one.
  private let control = Atomic<UInt>(0)
  private let task = Mutex<BackgroundTask?>(nil)

  private struct Compilations {
    var waiting: [OrchestraCompilation] = []
    var isClosed = false
  }

  init(
    _ configuration: EngineConfiguration, _ csound: CsoundObj, _ channels: HostChannels,
    _ said: HostMessages
  ) {
    self.csound = csound
    self.said = said
    work = HostWork(csound, channels: channels)
    engine = CsoundEngine(configuration, work: work)
  }

  func start() throws(EngineError) {
    do throws(EngineError) {
      try engine.start()
      try startControl()
    } catch {
      engine.stop()
      for message in engine.service() { said.deliver(message) }
      tell(.failed(error))
      throw error
    }
  }

  private func startControl() throws(EngineError) {
    do {
      let started = try BackgroundTask.start(self)
      task.withLock { $0 = started }
    } catch {
      throw EngineError(.system, "The engine cannot start: \(error).")
    }
  }

  /// Ends it, and waits for the end but on its own threads.
  func stop() {
    if engine.isOnPerform || control.load(ordering: .relaxed) == currentThreadIdentity() {
      engine.requestStop()
      return
    }
    engine.stop()
    let task = task.withLock { $0 }
    while let task, !task.wait(atMost: .perSecond) {}
  }

  // MARK: the thread that looks after the run

  func run() {
    control.store(currentThreadIdentity(), ordering: .relaxed)
    if let csound { for listener in csound.listeners { listener.csoundObjStarted(csound) } }
    while true {
      // First: what is said at the end is told before the end.
      let completion = engine.completion
      for message in engine.service() { said.deliver(message) }
      if let completion {
        finish(completion)
        return
      }
      compile()
      sleepUntil(monotonicNow() + 5_000_000)
    }
  }

  private func finish(_ completion: Completion) {
    engine.stop()
    for compilation in takeCompilations(closing: true) { compilation.refuse() }
    tell(completion)
    control.store(0, ordering: .relaxed)
    // Each holds the other.
    task.withLock { $0 = nil }
  }

  private func tell(_ completion: Completion) {
    guard let csound else { return }
    csound.finished(self)
    for listener in csound.listeners { listener.csoundObjCompleted(csound, completion) }
  }

  // MARK: orchestra text

  func add(_ compilation: OrchestraCompilation) {
    let isClosed = compilations.withLock { compilations in
      if !compilations.isClosed { compilations.waiting.append(compilation) }
      return compilations.isClosed
    }
    if isClosed { compilation.refuse() }
  }

  private func takeCompilations(closing: Bool = false) -> [OrchestraCompilation] {
    compilations.withLock { compilations in
      defer { compilations.waiting.removeAll() }
      compilations.isClosed = closing
      return compilations.waiting
    }
  }

  // Here and not on PERFORM: the parser takes milliseconds.
  private func compile() {
    for compilation in takeCompilations() {
      for message in engine.service() { said.deliver(message) }
      let result = work.compile(compilation.text)
      let lines = engine.service()
      for message in lines { said.deliver(message) }
      compilation.finish(result, lines, firstLine: work.orchestraLine)
    }
  }

  // MARK: between two k-cycles

  /// Lets PERFORM do something soon, or at once where this is PERFORM.
  func between(_ body: @escaping (HostWork) -> Void) {
    let work = work
    if engine.isOnPerform { return body(work) }
    while work.tasks.post(EngineTask { _ in body(work) }) == .full {
      sleepUntil(monotonicNow() + 1_000_000)
    }
  }

  /// Lets PERFORM do something, and waits for what comes of it.
  ///
  /// - Throws: `EngineError` when the run ended first.
  func ask<Answer>(_ purpose: String, _ body: @escaping (CsoundInstance) -> Answer)
    throws(EngineError) -> Answer
  {
    if engine.isOnPerform, let instance = work.instance { return body(instance) }
    var answer: Answer?
    let task = EngineTask { answer = body($0) }
    switch work.tasks.post(task) {
    case .full?:
      throw EngineError(
        .state, "The engine has more to do than it can, so \(purpose); ask it less often.")
    case .ended?: break
    case nil: _ = task.wait()
    }
    if let answer { return answer }
    throw EngineError(.state, "The run has ended, so \(purpose); play something first.")
  }
}
