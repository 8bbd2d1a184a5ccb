import Audio
public import Events
import LinuxIO
import Synchronization

/// Csound, live: plays a CSD into a sound card or into nothing, and follows the commands of a mapping.
///
/// One PERFORM thread owns the Csound instance for its whole life. `commands` belongs to the INPUT thread;
/// everything else may be called from any thread but is meant for CONTROL. One run per instance.
public final class CsoundEngine: @unchecked Sendable {
  public let configuration: EngineConfiguration
  /// Commands for the engine; INPUT pushes.
  public let commands: SPSCRing<EngineCommand>
  private let live: LiveRun
  // Held while joining, so that every caller of `stop` waits for the end.
  private let thread = Mutex(ThreadBox())
  private let recovery = Mutex(DeviceRecovery())
  private let latencyNotice = Mutex(LatencyNotice())
  private let captureRecovery = Mutex(CaptureRecovery())
  private let isRecordingOver = Atomic<Bool>(false)

  // The thread's handle is used under the lock only.
  private struct ThreadBox: @unchecked Sendable {
    var thread: RealtimeThread?
    var statistics = ThreadStatistics()

    // Whether realtime priority was taken away since the last look.
    @discardableResult
    mutating func observe(isLast: Bool = false) -> Bool {
      guard let thread else { return false }
      let wasRealtime = thread.statistics.isRealtime
      thread.observe(at: monotonicNow(), isLast: isLast)
      statistics = thread.statistics
      return wasRealtime && !statistics.isRealtime
    }
  }

  public convenience init(_ configuration: EngineConfiguration) {
    self.init(configuration, work: nil)
  }

  init(_ configuration: EngineConfiguration, work: HostWork?) {
    self.configuration = configuration
    commands = SPSCRing(capacity: configuration.commandCapacity)
    live = LiveRun(configuration, commands, work: work)
  }

  deinit { stop() }

  /// Compiles, opens the audio device and starts to play; returns when the first k-cycle may come.
  ///
  /// - Parameter isCancelled: asked several times a second whether there is still to be a run. If not, `completion` is
  ///   `.stopped` soon, whether or not a sound server answers.
  /// - Throws: `EngineError` when there is no run; nothing is left behind then.
  public func start(isCancelled: () -> Bool = { false }) throws(EngineError) {
    guard let startedWakeUp = live.started, live.ended != nil else {
      throw EngineError(.system, "The engine cannot start: too many files are open.")
    }
    let failure = thread.withLock { box -> EngineError? in
      if box.thread != nil || live.facts.withLock({ $0.completion != nil }) {
        return EngineError(.system, "This engine has been started before; make another one.")
      }
      do {
        // Csound's own parser and the instruments of large orchestras go deep.
        let started = try RealtimeThread(
          name: "sonde-perform", priority: configuration.priority, stackSize: 8 << 20, body: live)
        box.thread = started
        return nil
      } catch {
        return EngineError(.system, "The engine cannot start: \(error).")
      }
    }
    if let failure { throw failure }
    do {
      let poll = try EventPoll(capacity: 1)
      _ = try poll.add(startedWakeUp.descriptor, tag: 0)
      while poll.next() == nil {
        poll.wait(milliseconds: 50)
        if isCancelled() {
          live.controls.pointee.isStopRequested.store(true, ordering: .releasing)
        }
      }
    } catch {
      stop()
      throw EngineError(.system, "The engine cannot start: \(error).")
    }
    // Only now: to compile takes longer than RealtimeKit allows at a stretch.
    if !live.controls.pointee.isStopRequested.load(ordering: .acquiring) {
      thread.withLock { $0.thread?.askRealtimeKit() }
    }
    let hasPlayed = live.counters.pointee.cycles.load(ordering: .relaxed) > 0
    if case .failed(let error)? = completion, !hasPlayed {
      stop()
      throw error
    }
  }

  /// Releases all notes, lets them fade for 300 ms at most, and ends the run.
  ///
  /// Waits for the end; on PERFORM itself it only asks for it. Any thread, any number of times.
  public func stop() {
    if isOnPerform { return requestStop() }
    thread.withLock {
      // Before the request: what the end itself costs is no matter.
      $0.observe(isLast: true)
      live.controls.pointee.isStopRequested.store(true, ordering: .releasing)
      $0.thread?.join()
      $0.thread = nil
    }
    recovery.withLock { $0.end() }
    captureRecovery.withLock { $0.end() }
    stopRecording()
  }

  /// Asks for the end, without waiting for it. Any thread.
  func requestStop() {
    live.controls.pointee.isStopRequested.store(true, ordering: .releasing)
  }

  /// Whether the calling thread is the one that computes.
  var isOnPerform: Bool {
    live.thread.load(ordering: .relaxed) == currentThreadIdentity()
  }

  /// Whether time stands still: silence is played, and what was asked for waits.
  public var isPaused: Bool {
    get { live.controls.pointee.isPaused.load(ordering: .relaxed) }
    set { live.controls.pointee.isPaused.store(newValue, ordering: .releasing) }
  }

  /// Whether silence is played in place of what is computed; time goes on.
  public var isMuted: Bool {
    get { live.controls.pointee.isMuted.load(ordering: .relaxed) }
    set { live.controls.pointee.isMuted.store(newValue, ordering: .releasing) }
  }

  /// Records what is heard from now on, until `stopRecording` or the end of the run; an existing file is replaced.
  ///
  /// WAV, FLAC, Ogg or AIFF by the ending. The file can be read at any time, up to its last second. Not PERFORM.
  ///
  /// - Throws: `EngineError`: `state` when nothing plays or a recording goes on, `output` that names the file.
  public func record(to path: String, format: RecordingFormat = .int16) throws(EngineError) {
    try live.startRecording(path, format)
  }

  /// Ends the recording: the file is complete when this returns; on PERFORM itself it is asked for at the next
  /// `service`. Does nothing where there is none.
  public func stopRecording() {
    if isOnPerform { return isRecordingOver.store(true, ordering: .releasing) }
    live.stopRecording()
  }

  /// The file of the last recording and why it lacks a part of what was heard; nil where it is whole.
  public var recordingFailure: String? { live.facts.withLock { $0.recordingFailure } }

  /// How the run ended, or nil while it lasts.
  public var completion: Completion? { live.facts.withLock { $0.completion } }

  /// Becomes and stays readable when the run has ended; for an `EventPoll`. −1 where the system had none left;
  /// `start` throws then.
  public var wakeDescriptor: Int32 { live.ended?.descriptor ?? -1 }

  /// Gives the engine the meaning of slots from the `switch` command with its generation on.
  ///
  /// Call it before INPUT sends that command; generations only grow. PERFORM looks the names up a few at a time
  /// while it plays: a large patch whose switch waits for `preparedGeneration` costs no sound, as long as the new
  /// channels find room (`EngineConfiguration.spareChannels`).
  public func install(_ patch: EnginePatch) {
    live.facts.withLock { facts in
      let statistics = facts.statistics
      let record = PatchRecord(
        patch, cycleRate: Double(statistics.rate) / Double(max(statistics.ksmps, 1)),
        instruments: facts.instruments)
      let pointer = UnsafeRawPointer(Unmanaged.passUnretained(record).toOpaque())
      if live.incoming.push(pointer) { facts.records[pointer] = record }
    }
  }

  /// Takes the messages that came since the last call, and does what belongs to CONTROL: frees patches that
  /// were replaced, and opens a lost device again. Call it ten times a second.
  public func service() -> [EngineMessage] {
    if isRecordingOver.exchange(false, ordering: .acquiring) { stopRecording() }
    if thread.withLock({ $0.observe() }) {
      live.log.add(
        EngineMessage(
          .notice,
          "Realtime priority was taken away, because the sound computed for longer than RealtimeKit allows at a stretch; 'sonde doctor' prints the line that allows it for ever."
        ))
    }
    var device: AudioAddress?
    var notices: [String] = []
    live.facts.withLock { facts in
      device = facts.address
      notices = facts.device?.observe() ?? []
      while let pointer = live.retired.pop() { facts.records[pointer] = nil }
    }
    for text in notices { live.log.add(EngineMessage(.notice, text)) }
    recovery.withLock { recovery in
      while let report = live.reports.pop() {
        recovery.take(report)
        if let text = captureRecovery.withLock({ $0.sentence(for: report, live) }) {
          live.log.add(EngineMessage(.notice, text))
        }
        let patch = live.facts.withLock { facts in
          if case .xrun = report.kind {
            facts.statistics.note(
              EngineStatistics.Xrun(time: report.time, length: report.length))
          }
          return facts.records.values.first { $0.patch.generation == report.generation }?.patch
        }
        if let text = report.sentence(patch: patch ?? configuration.patch, device: device) {
          live.log.add(EngineMessage(.notice, text))
        }
      }
      if let text = recovery.xrunSentence(at: monotonicNow(), device: device) {
        live.log.add(EngineMessage(.notice, text))
      }
      if let text = recovery.reopen(live) { live.log.add(EngineMessage(.notice, text)) }
    }
    var counts = EngineStatistics()
    counts.takeCounts(from: live.counters)
    let parts = counts.latencyParts
    if let text = latencyNotice.withLock({ $0.sentence(parts, at: monotonicNow()) }) {
      live.log.add(EngineMessage(.notice, text))
    }
    captureRecovery.withLock { $0.reopen(live) }
    return live.log.take()
  }

  /// Tries a lost device at the next `service`, without the usual wait: udev announced a sound card.
  public func retryDevice() {
    recovery.withLock { $0.retryAtOnce() }
    captureRecovery.withLock { $0.retryAtOnce() }
  }

  public var statistics: EngineStatistics {
    var result = live.facts.withLock { $0.statistics }
    result.takeCounts(from: live.counters)
    result.droppedCommands += commands.dropCount
    result.droppedMessages = live.log.ring.dropCount
    result.performThread = thread.withLock { $0.thread?.statistics ?? $0.statistics }
    if live.controls.pointee.isOnTimer.load(ordering: .acquiring) { result.backend = "none" }
    return result
  }

  /// The newest generation whose names PERFORM has looked up.
  public var preparedGeneration: Int { live.counters.pointee.prepared.load(ordering: .acquiring) }

  /// The generation of the patch that plays.
  public var generation: Int { live.counters.pointee.generation.load(ordering: .acquiring) }

  /// The value that a slot's channel had at the last look, some 10 ms ago, in the patch that plays;
  /// nil for slots that are no channel.
  public func channelValue(slot: Int) -> Double? {
    let playing = generation
    return live.facts.withLock { facts in
      guard let record = facts.records.values.first(where: { $0.patch.generation == playing }),
        slot >= 0, slot < record.count, case .channel = record.patch.slots[slot]
      else { return nil }
      return Double(bitPattern: record.published[slot].load(ordering: .relaxed))
    }
  }

  /// The applied commands, oldest first, as many as `accountCapacity` allows.
  public var account: [AppliedCommand] { live.account.commands }
}
