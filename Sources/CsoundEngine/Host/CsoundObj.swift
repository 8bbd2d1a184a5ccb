public import Audio
import Events
import LinuxIO
import Synchronization

/// Csound as an object of a program: plays CSDs, and lets the program take part in the music.
///
/// Every method may be called from any thread, also from listeners and bindings, at any time and in any order.
/// One run at a time; `ControlChannel`s, bindings and listeners stay from one run to the next.
public final class CsoundObj: @unchecked Sendable {
  /// What the object is doing.
  public enum State: Sendable, Equatable {
    case idle, playing, paused
  }

  private struct Shared {
    var run: HostRun?
    var bindings: [any CsoundBinding] = []
    var processors: [(AudioProcessorPlace, any AudioProcessor)] = []
    var listeners: [any CsoundObjListener] = []
    var isMuted = false
  }

  private let shared = Mutex(Shared())
  private let channels = HostChannels()
  private let said = HostMessages()

  public init() {}

  deinit { shared.withLock { $0.run }?.engine.requestStop() }

  // MARK: the life of a run

  /// Plays a CSD file; returns when it has compiled and the sound begins.
  ///
  /// - Throws: `EngineError`: `state` while something plays, else why there is no run. Listeners are told of a
  ///   run that failed as of any other that ended.
  public func play(_ path: String, options: [String] = [], output: AudioOutput = .automatic)
    throws(EngineError)
  {
    var configuration = EngineConfiguration(.file(path))
    configuration.options = options
    configuration.output = output
    try play(configuration)
  }

  /// Plays what `configuration` says; see `play(_:options:output:)`.
  public func play(_ configuration: EngineConfiguration) throws(EngineError) {
    let run = HostRun(configuration, self, channels, said)
    let isFree = shared.withLock { shared in
      if shared.run != nil { return false }
      shared.run = run
      run.work.bindings = shared.bindings
      run.work.processors = shared.processors
      run.engine.isMuted = shared.isMuted
      return true
    }
    guard isFree else {
      throw EngineError(
        .state, "The engine plays already; stop it first, or use another one beside it.")
    }
    try run.start()
  }

  /// Ends the run: releases its notes, cleans up its bindings, and tells the listeners.
  ///
  /// Returns when all of that has happened. From a binding or a listener it only asks for it, and returns at once.
  public func stop() { shared.withLock { $0.run }?.stop() }

  /// Lets time stand still, and silence be played; the sound goes within 5 ms.
  public func pause() { shared.withLock { $0.run?.engine.isPaused = true } }

  /// Lets time go on where it stood.
  public func resume() { shared.withLock { $0.run?.engine.isPaused = false } }

  /// Whether silence is played in place of what is computed; time goes on. Stays from one run to the next.
  public var isMuted: Bool {
    get { shared.withLock { $0.isMuted } }
    set {
      shared.withLock {
        $0.isMuted = newValue
        $0.run?.engine.isMuted = newValue
      }
    }
  }

  public var state: State {
    shared.withLock { shared in
      guard let run = shared.run else { return .idle }
      return run.engine.isPaused ? .paused : .playing
    }
  }

  /// Numbers of the run that plays, or nil.
  public var statistics: EngineStatistics? { shared.withLock { $0.run }?.engine.statistics }

  // MARK: those who take part

  /// Lets `binding` take part in the run that plays, from its next k-cycle on, and in all later ones.
  @discardableResult
  public func addBinding<Binding: CsoundBinding>(_ binding: Binding) -> Binding {
    let run = shared.withLock { shared -> HostRun? in
      if shared.bindings.contains(where: { $0 === binding }) { return nil }
      shared.bindings.append(binding)
      return shared.run
    }
    run?.between { work in work.add(binding) }
    return binding
  }

  /// Ends its part: `cleanup` is called, where a run plays.
  public func removeBinding(_ binding: any CsoundBinding) {
    let run = shared.withLock { shared -> HostRun? in
      guard let index = shared.bindings.firstIndex(where: { $0 === binding }) else { return nil }
      shared.bindings.remove(at: index)
      return shared.run
    }
    run?.between { work in work.remove(binding) }
  }

  /// Lets `processor` change or watch the sound, from the next k-cycle on and in all later runs, behind those that
  /// were added before.
  @discardableResult
  public func addProcessor<Processor: AudioProcessor>(
    _ processor: Processor, at place: AudioProcessorPlace
  ) -> Processor {
    let run = shared.withLock { shared -> HostRun? in
      if shared.processors.contains(where: { $0.1 === processor }) { return nil }
      shared.processors.append((place, processor))
      return shared.run
    }
    run?.between { work in work.add(processor, at: place) }
    return processor
  }

  public func removeProcessor(_ processor: any AudioProcessor) {
    let run = shared.withLock { shared -> HostRun? in
      shared.processors.removeAll { $0.1 === processor }
      return shared.run
    }
    run?.between { work in work.remove(processor) }
  }

  /// Tells `listener` of the runs that begin and end from now on.
  public func addListener(_ listener: any CsoundObjListener) {
    shared.withLock { shared in
      if !shared.listeners.contains(where: { $0 === listener }) {
        shared.listeners.append(listener)
      }
    }
  }

  public func removeListener(_ listener: any CsoundObjListener) {
    shared.withLock { $0.listeners.removeAll { $0 === listener } }
  }

  var listeners: [any CsoundObjListener] { shared.withLock { $0.listeners } }

  /// The run is over, and another one may begin.
  func finished(_ run: HostRun) {
    shared.withLock { if $0.run === run { $0.run = nil } }
  }

  // MARK: messages

  /// Calls `receive` with every line that Csound or the engine says from now on, on a thread that nothing waits for;
  /// nil ends it.
  public func onMessage(_ receive: (@Sendable (EngineMessage) -> Void)?) { said.receive = receive }

  /// Every line from now on. Who reads too slowly loses the oldest of more than a thousand.
  public func messages() -> AsyncStream<EngineMessage> { said.stream() }

  // MARK: what belongs to a run

  /// The control channel of that name, in this run and in all others.
  ///
  /// - Throws: `EngineError` when no channel can have that name.
  public func controlChannel(_ name: String) throws(EngineError) -> ControlChannel {
    try checkChannelName(name)
    let (channel, isNew) = channels.channel(name)
    if isNew {
      shared.withLock { $0.run }?.between { work in work.follow(channel) }
    }
    return channel
  }

  /// The run that plays.
  ///
  /// - Throws: `EngineError` that says what `purpose` would need one for.
  func playing(_ purpose: String) throws(EngineError) -> HostRun {
    if let run = shared.withLock({ $0.run }), run.engine.completion == nil { return run }
    throw EngineError(.state, "Nothing plays, so \(purpose); play something first.")
  }
}

/// Is told of the runs of a `CsoundObj`, on a thread of its own: it may do what it likes, `stop` and `play` included.
public protocol CsoundObjListener: AnyObject, Sendable {
  func csoundObjStarted(_ csound: CsoundObj)
  func csoundObjCompleted(_ csound: CsoundObj, _ completion: Completion)
}

extension CsoundObjListener {
  public func csoundObjStarted(_ csound: CsoundObj) {}
  public func csoundObjCompleted(_ csound: CsoundObj, _ completion: Completion) {}
}

func checkChannelName(_ name: String) throws(EngineError) {
  let count = name.utf8.count
  if count == 0 || count > 1023 || name.utf8.contains(0) {
    throw EngineError(
      .state, "A channel's name has from 1 to 1023 bytes and no NUL; choose another name.")
  }
}
