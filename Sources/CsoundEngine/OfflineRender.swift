import Audio
public import Events
import LinuxIO
import Synchronization

/// Where an offline run gets its commands from.
///
/// Called on the thread that renders, before each k-cycle.
public protocol CommandSource {
  /// Gives every command with a time before `limit` that was not given yet to `queue`.
  ///
  /// - Returns: whether more may come; false ends an endless score 2 s later.
  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool
}

/// The commands of one k-cycle of an offline run.
public struct CommandQueue {
  let performer: Performer
  let patches: OfflinePatches

  /// Adds a command; commands are applied in the order of their times, then of their arrival.
  public func append(_ command: EngineCommand) { performer.accept(command) }

  /// Gives the engine the meaning of slots from the `switch` command with its generation on; before that command.
  public func install(_ patch: EnginePatch) { patches.install(patch) }

  /// The newest generation whose names are looked up; see `CsoundEngine.preparedGeneration`.
  public var preparedGeneration: Int { patches.preparedGeneration }
}

/// What one k-cycle of an offline run left behind; valid during the call only.
public struct CycleProbe {
  let calls: CsoundCalls
  /// The k-cycle's number from 0, and its first frame.
  public let cycle: Int64
  public let frame: Int64
  /// The block, interleaved, in units of 0dbfs.
  public let output: UnsafeBufferPointer<Double>

  /// The value of a control channel, which is made if it is not there; NaN if the name is another kind of channel's.
  public func channel(_ name: String) -> Double {
    name.withCString { calls.channel($0) }?.pointee ?? .nan
  }
}

/// Csound, offline: computes a CSD as fast as it goes, into a file or into nothing, the same every time.
///
/// Time 0 of the commands is the first frame.
public final class OfflineRender: @unchecked Sendable {
  public let configuration: EngineConfiguration
  /// The file to write, or nil.
  public let output: String?
  private let log = MessageLog()
  private let counters: UnsafeMutablePointer<EngineCounters>
  private let isCancelled = Atomic<Bool>(false)
  private let snapshot = Mutex(EngineStatistics())
  private let accountBuffer: AccountBuffer

  /// - Parameter output: WAV, FLAC, OGG or AIFF by extension; the sample format is the CSD's.
  public init(_ configuration: EngineConfiguration, output: String?) {
    self.configuration = configuration
    self.output = output
    accountBuffer = AccountBuffer(capacity: configuration.accountCapacity)
    counters = .allocate(capacity: 1)
    counters.initialize(to: EngineCounters())
  }

  deinit {
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  /// Renders on the calling thread. Once per instance.
  ///
  /// - Parameters:
  ///   - end: where to end; nil ends with the score, or 2 s after `source` when the score has no end.
  ///   - messages: what Csound says, line by line.
  ///   - probe: called after every k-cycle.
  /// - Throws: `EngineError` when there is no run, or it failed on the way.
  public func run<Source: CommandSource>(
    _ source: inout Source, until end: Nanoseconds? = nil,
    messages: (EngineMessage) -> Void = { _ in }, probe: ((CycleProbe) -> Void)? = nil
  ) throws(EngineError) -> Completion {
    // The thread is the caller's.
    let control = turnDenormalsOff()
    defer { restoreDenormals(control) }
    let result: Completion
    do throws(EngineError) {
      result = try perform(&source, until: end, messages: messages, probe: probe)
    } catch {
      log.collect(finishing: true)
      log.take().forEach(messages)
      throw error
    }
    log.collect(finishing: true)
    log.take().forEach(messages)
    return result
  }

  /// Ends the run at the next k-cycle. Any thread.
  public func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// How the run is doing, or how it went. Any thread.
  public var statistics: EngineStatistics {
    var result = snapshot.withLock { $0 }
    result.takeCounts(from: counters)
    result.droppedMessages = log.ring.dropCount
    return result
  }

  /// The applied commands, oldest first, as many as `accountCapacity` allows.
  public var account: [AppliedCommand] { accountBuffer.commands }

  private func outputOptions() throws(EngineError) -> [String] {
    guard let output else { return ["-n"] }
    let formats = [
      "wav": "wav", "wave": "wav", "flac": "flac", "ogg": "ogg", "oga": "ogg", "aif": "aiff",
      "aiff": "aiff",
    ]
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = formats[ending], output.contains(".") else {
      throw EngineError(
        .output,
        "\(output): the type of the sound file is not known; end its name in .wav, .flac, .ogg or .aiff."
      )
    }
    try OutputFile.check(output)
    // -K: a PEAK chunk would hold the date. Ogg holds nothing but Vorbis.
    return ["--format=\(format)", "-K", "--output=\(output)"]
      + (format == "ogg" ? ["--format=vorbis"] : [])
  }

  private func perform<Source: CommandSource>(
    _ source: inout Source, until end: Nanoseconds?, messages: (EngineMessage) -> Void,
    probe: ((CycleProbe) -> Void)?
  ) throws(EngineError) -> Completion {
    let file = try CSDFile(configuration.source)
    let options = try CsoundOptions(of: file, and: configuration.options)
    let outputOptions = try outputOptions()
    let instance = try CsoundInstance(file, options, log: log)
    defer { instance.destroy() }
    do throws(EngineError) {
      try instance.start(outputOptions, initialValues: configuration.patch.initialValues)
    } catch {
      if let output, error.details.contains(where: { $0.contains("Format not recognised") }) {
        throw EngineError(
          .output,
          "\(output): files of this type do not take the CSD's sample format; leave out its -f, -l, -3 or -8, or write a .wav.",
          details: error.details)
      }
      if let output, error.details.contains(where: { $0.contains(output) }) {
        throw EngineError(
          .output, "\(output) cannot be written; check its folder and permissions.",
          details: error.details)
      }
      throw error
    }
    instance.reserveChannels(
      configuration.patch.slots.count, spare: configuration.spareChannels ?? 0)
    snapshot.withLock {
      $0.backend = "offline"
      $0.rate = instance.rate
      $0.channels = instance.channels
      $0.ksmps = instance.ksmps
    }
    let patches = OfflinePatches(
      configuration.patch, cycleRate: Double(instance.rate) / Double(instance.ksmps), counters)
    let reports = SPSCRing<EngineReport>(capacity: 1024)
    let performer = Performer(
      instance, takesOutput: false, patch: patches.first,
      pendingCapacity: configuration.commandCapacity,
      counters: counters, reports: reports,
      account: configuration.accountCapacity > 0 ? accountBuffer : nil, incoming: patches.incoming,
      retired: patches.retired)
    defer { withExtendedLifetime((patches, reports, accountBuffer)) {} }
    func housekeeping() {
      log.collect()
      while let report = reports.pop() {
        let patch = patches.patch(of: report.generation) ?? configuration.patch
        if let text = report.sentence(patch: patch, device: nil) {
          log.add(EngineMessage(.notice, text))
        }
      }
      log.take().forEach(messages)
    }
    let result = loop(
      performer, CommandQueue(performer: performer, patches: patches), &source, until: end,
      rate: instance.rate, isEndless: file.isEndless, probe: probe,
      housekeeping: housekeeping)
    housekeeping()
    guard let result else { return .stopped }
    if result < 0 {
      throw CsoundFailure.performance(
        result, name: file.name, lines: log.recent)
    }
    return .finished
  }

  // What Csound returned at its end; 0 when the end came from outside, nil when cancelled.
  private func loop<Source: CommandSource>(
    _ performer: Performer, _ queue: CommandQueue, _ source: inout Source, until end: Nanoseconds?,
    rate: Int,
    isEndless: Bool, probe: ((CycleProbe) -> Void)?, housekeeping: () -> Void
  ) -> Int32? {
    let clock = FrameClock(rate: rate)
    let samples = performer.ksmps * performer.channels
    let block = UnsafeMutablePointer<Double>.allocate(capacity: samples)
    block.initialize(repeating: 0, count: samples)
    defer { block.deallocate() }
    var hasMore = true
    var end = end
    while true {
      let start = clock.time(of: performer.frame)
      if let end, start >= end { return 0 }
      if isCancelled.load(ordering: .relaxed) { return nil }
      let limit = clock.time(of: performer.frame + Int64(performer.ksmps))
      if hasMore {
        hasMore = source.commands(before: limit, into: queue)
        if !hasMore && isEndless && end == nil { end = start + 2 * .perSecond }
      }
      let cycle = performer.cycle
      let frame = performer.frame
      let before = monotonicNow()
      let result = performer.runCycle(
        CycleTime(start: start, end: limit, latency: 0, passed: start), into: block)
      performer.countTime(monotonicNow() - before, from: before)
      if result != 0 { return result }
      probe?(
        CycleProbe(
          calls: performer.calls, cycle: cycle, frame: frame,
          output: UnsafeBufferPointer(start: block, count: samples)))
      if cycle & 63 == 0 { housekeeping() }
    }
  }
}
