public import CsoundEngine
import DeviceWatch
import Events
import LinuxIO
import Mapping

/// One playing instrument: the engine, the input, and everything that CONTROL does for them.
///
/// `run` is the CONTROL thread.
public final class PlaySession {
  private static let tick: Nanoseconds = 50_000_000
  /// How long the sound goes on after a take.
  private static let tail: Nanoseconds = 2_000_000_000
  /// A take's first event comes so long after the start, so that none is late.
  private static let lead: Nanoseconds = 200_000_000
  /// Live devices have numbers below this one where a take is played as well.
  private static let firstTakeDevice: DeviceIndex = 32

  private let options: PlayOptions
  private let report: (SessionReport) -> Void
  private let signals: SignalSource
  private let poll: EventPoll
  private let alarm: AlarmTimer
  /// Announces sound cards, so that a lost one plays again at once.
  private let soundCards: DeviceMonitor
  private var isInterrupted = false

  /// - Parameter report: called on CONTROL for everything that the user may want to see.
  /// - Throws: `SessionError.system` when the system gives no descriptors.
  public init(_ options: PlayOptions, report: @escaping (SessionReport) -> Void)
    throws(SessionError)
  {
    self.options = options
    self.report = report
    do throws(SystemError) {
      // Before the first thread, so that every thread leaves the signals to it.
      signals = try SignalSource()
      poll = try EventPoll(capacity: 16)
      alarm = try AlarmTimer()
      soundCards = try DeviceMonitor([.sound])
    } catch {
      throw .system(error)
    }
  }

  /// Plays until it is interrupted, the time is over, or the score or the take has ended.
  ///
  /// - Throws: `SessionError` when it cannot start; nothing was started then.
  public func run() throws(SessionError) -> Completion {
    let choice = try InstrumentChoice(csd: options.csd, maps: options.maps)
    let program = Program(choice.mapping)
    var configuration = EngineConfiguration(choice.source, patch: program.patch)
    configuration.options = options.csoundOptions
    configuration.output = options.output
    configuration.timing = options.timing
    configuration.latency = options.latency
    configuration.accountCapacity = options.accountCapacity
    configuration.recording = options.recording
    configuration.recordingFormat = options.recordingFormat
    _ = lockMemory()
    keepMemorySteady()
    // What is misspelt is told before any sound.
    let takeReader = try options.take.map { path throws(SessionError) in try openTake(path) }
    if let take = options.take, let record = options.recordTake, isSameFile(take, record) {
      throw .system("\(record) is the take that is played; record to another file.")
    }
    let engine = CsoundEngine(configuration)
    let recording = try options.recordTake.map { path throws(SessionError) in
      try TakeRecording(path, program: program)
    }
    do throws(EngineError) {
      try engine.start(isCancelled: { wasInterrupted() })
    } catch {
      throw .engine(error)
    }
    defer { engine.stop() }
    if wasInterrupted() {
      recording?.finish(at: monotonicNow(), report: report)
      return .stopped
    }
    let hub: InputHub
    do throws(SystemError) {
      hub = try InputHub(
        program, output: engine.commands, isLive: options.take == nil || options.isLive
      ) { [report] in report(.input($0)) }
      for descriptor in hub.descriptors + [
        signals.descriptor, alarm.descriptor, engine.wakeDescriptor, soundCards.descriptor,
      ] {
        do throws(ErrorNumber) { _ = try poll.add(descriptor, tag: 0) } catch {
          throw SystemError(error, call: "epoll_ctl")
        }
      }
      try hub.thread.start(priority: 60)
    } catch {
      throw .system(error)
    }
    return try play(choice, program, engine, hub, takeReader, recording)
  }

  private func openTake(_ path: String) throws(SessionError) -> FileReader {
    do throws(SystemError) { return try FileReader(path) } catch {
      throw .system("The take cannot be read: \(error).")
    }
  }

  private func play(
    _ choice: InstrumentChoice, _ program: Program, _ engine: CsoundEngine, _ hub: InputHub,
    _ takeFile: FileReader?, _ recording: TakeRecording?
  ) throws(SessionError) -> Completion {
    let start = monotonicNow()
    let player = takeFile.map { file in
      let source = InterruptibleSource(file, isInterrupted: { [self] in wasInterrupted() })
      source.deadline = options.duration.map { start + $0 }
      return TakePlayer(
        TakeReader(
          source, name: file.path, origin: start + PlaySession.lead,
          firstDevice: options.isLive ? PlaySession.firstTakeDevice : 0),
        hub: hub, program: program)
    }
    hub.service(at: start)
    alarm.set(at: start, every: PlaySession.tick)
    announce(choice, engine, hub)

    var counts = SessionStatistics()
    var completion: Completion?
    while completion == nil {
      poll.wait()
      while poll.next() != nil {}
      _ = alarm.clear()
      let now = monotonicNow()
      hub.service(at: now)
      if soundCards.changes().contains(where: { $0.action == .added }) { engine.retryDevice() }
      player?.advance(at: now, report: report)
      takeEvents(hub, recording, &counts)
      recording?.flush(at: now, report: report)
      for message in engine.service() { report(.message(message)) }
      completion = engine.completion
      if wasInterrupted() { completion = completion ?? .stopped }
      if let duration = options.duration, now - start >= duration {
        completion = completion ?? .stopped
      }
      if let player, let end = player.endTime, !options.isLive || player.failure != nil {
        let tail = player.failure == nil ? PlaySession.tail : 0
        if now >= end + tail { completion = completion ?? .finished }
      }
    }
    let end = monotonicNow()
    hub.stop(at: end)
    takeEvents(hub, recording, &counts)
    recording?.finish(at: end, report: report)
    engine.stop()
    for message in engine.service() { report(.message(message)) }
    let result = completion ?? .stopped
    counts.untakenEvents = hub.thread.tap.dropCount
    counts.replacedValues = hub.runtime.counters.replacedValues
    counts.droppedNotes = hub.runtime.counters.droppedNotes
    counts.devices = hub.statistics
    counts.inputThread = hub.thread.statistics
    report(.ended(result, engine.statistics, counts))
    // A take that was cut by its listener is not to blame.
    if result == .finished, let failure = player?.failure { throw .take(failure) }
    if case .failed = result { return result }
    // Its notice told why; a script must see it too.
    if let failure = recording?.failure { throw .system("The take is not whole: \(failure).") }
    if let failure = engine.recordingFailure {
      throw .system("The recording is not whole: \(failure).")
    }
    return result
  }

  private func wasInterrupted() -> Bool {
    while let signal = signals.next() {
      // A hang-up asks for a reload, which this version does not have; it must not end the music.
      if signal != .hangUp { isInterrupted = true }
    }
    return isInterrupted
  }

  private func announce(
    _ choice: InstrumentChoice, _ engine: CsoundEngine, _ hub: InputHub
  ) {
    let instrument: String
    switch choice.source {
    case .file(let path): instrument = path
    case .text(_, let name, _): instrument = name
    }
    report(
      .started(
        SessionReport.Start(
          instrument: instrument, mapping: choice.mappingName, diagnostics: choice.diagnostics,
          statistics: engine.statistics, waiting: waitingDevices(choice.mapping, hub),
          inputThread: hub.thread.statistics)))
    for thread in [engine.statistics.performThread, hub.thread.statistics] {
      guard case .refused(let reason) = thread.scheduling else { continue }
      report(
        .notice(
          "Realtime priority is refused. \(reason) 'sonde doctor' prints the line that allows it."))
      break
    }
  }

  /// The devices that the user waits for; where the mapping names none, the one that feeds the motion channels.
  private func waitingDevices(_ mapping: MappingDescription, _ hub: InputHub) -> [String] {
    if options.take != nil { return [] }
    let named = mapping.namedDevices
    return hub.roster.waiting.filter { named.isEmpty || named.contains($0) }
  }

  private func takeEvents(
    _ hub: InputHub, _ recording: TakeRecording?, _ counts: inout SessionStatistics
  ) {
    recording?.declare(hub.descriptions)
    while let event = hub.thread.tap.pop() {
      counts.events += 1
      if event.kind == .lost { counts.kernelLosses += 1 }
      recording?.take(event)
      report(.event(event))
    }
  }
}

/// Whether two paths name one file that is there.
private func isSameFile(_ first: String, _ second: String) -> Bool {
  guard let one = fileStatus(first), let other = fileStatus(second) else { return false }
  return one.kind == .file && one.inode == other.inode && one.device == other.device
}
