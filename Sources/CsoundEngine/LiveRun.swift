import Audio
import Events
import LinuxIO
import Synchronization

/// One live run on the PERFORM thread, from reading the CSD to the end of the instance, and what it shares.
final class LiveRun: ThreadBody, @unchecked Sendable {
  /// What is known once the run plays.
  struct Facts {
    var statistics = EngineStatistics()
    /// Numbers of instruments by name.
    var instruments: [String: Double] = [:]
    /// The device that plays, and how it was asked for.
    var device: AudioDevice?
    var address: AudioAddress?
    var request: AudioRequest?
    /// What captures where the device that plays does not, its name, and what it is heard beside.
    var capture: IndependentCapture?
    var captureName: String?
    var captureFormat: AudioFormat?
    var isCaptureMissing = false
    /// Patches that PERFORM has or will have, by address.
    var records: [UnsafeRawPointer: PatchRecord] = [:]
    var completion: Completion?
    /// Why the last recording lacks something.
    var recordingFailure: String?
  }

  let configuration: EngineConfiguration
  /// A host program's own part, if there is one.
  let work: HostWork?
  let commands: SPSCRing<EngineCommand>
  let reports = SPSCRing<EngineReport>(capacity: 1024)
  let incoming = SPSCRing<UnsafeRawPointer>(capacity: 64)
  let retired = SPSCRing<UnsafeRawPointer>(capacity: 256)
  let controls: UnsafeMutablePointer<LiveControls>
  let counters: UnsafeMutablePointer<EngineCounters>
  let account: AccountBuffer
  let log = MessageLog()
  let facts = Mutex(Facts())
  /// Signalled when the run plays or failed to; and again at its end.
  let started = try? WakeUp()
  let ended = try? WakeUp()
  let recorder = Mutex<Recorder?>(nil)
  /// The thread, 0 before and after.
  let thread = Atomic<UInt>(0)

  init(
    _ configuration: EngineConfiguration, _ commands: SPSCRing<EngineCommand>,
    work: HostWork? = nil
  ) {
    self.configuration = configuration
    self.work = work
    self.commands = commands
    account = AccountBuffer(capacity: configuration.accountCapacity)
    controls = .allocate(capacity: 1)
    controls.initialize(to: LiveControls())
    counters = .allocate(capacity: 1)
    counters.initialize(to: EngineCounters())
  }

  deinit {
    controls.deinitialize(count: 1)
    controls.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  func run() {
    thread.store(currentThreadIdentity(), ordering: .relaxed)
    turnDenormalsOff()
    let completion: Completion
    do throws(EngineError) {
      completion = try perform()
    } catch {
      completion = .failed(error)
    }
    // Where the run failed before it began, nobody else tells those who wait.
    work?.tasks.close()
    log.collect(finishing: true)
    facts.withLock { $0.completion = completion }
    thread.store(0, ordering: .relaxed)
    started?.signal()
    ended?.signal()
  }

  private func perform() throws(EngineError) -> Completion {
    let file = try CSDFile(configuration.source)
    let options = try CsoundOptions(of: file, and: configuration.options)
    guard let (instance, plan, device) = try prepare(file, options) else { return .stopped }
    defer { instance.destroy() }

    if configuration.takesMIDI, let work {
      instance.host.midi = .passUnretained(work.midi)
    }
    try instance.start(
      (plan.takesOutput ? ["-odac"] : []) + (configuration.takesMIDI ? ["-M0"] : []),
      initialValues: configuration.patch.initialValues)
    let slotCount = configuration.patch.slots.count
    instance.reserveChannels(slotCount, spare: configuration.spareChannels ?? slotCount)
    let format =
      device?.format
      ?? AudioFormat(
        rate: instance.rate, channels: instance.channels, deviceChannels: instance.channels,
        period: plan.buffers.choices[0].period, periods: plan.buffers.choices[0].periods,
        inputChannels: plan.takesInput ? instance.inputChannels : 0)
    let instruments = resolveInstruments(of: file, instance)
    let record = PatchRecord(
      configuration.patch, cycleRate: Double(instance.rate) / Double(instance.ksmps),
      instruments: instruments)
    let performer = Performer(
      instance, takesOutput: plan.takesOutput, patch: record,
      pendingCapacity: configuration.commandCapacity, counters: counters, reports: reports,
      account: configuration.accountCapacity > 0 ? account : nil, work: work,
      incoming: incoming, retired: retired)
    let timer = TimerOutput(format: format)
    let capture = openCapture(plan, device, format)
    let loop = LiveLoop(
      performer: performer, commands: commands, reports: reports, controls: controls,
      counters: counters, timing: configuration.timing, rate: instance.rate,
      inputChannels: format.inputChannels, backend: device?.backend ?? AudioBackend(timer),
      timer: timer, capture: capture)
    publish(instance, format, device, record, instruments)
    let parts = LatencyParts(
      format: format, ksmps: instance.ksmps, timing: configuration.timing,
      addedFrames: device?.backend.addedFrames ?? 0)
    if let text = plan.buffers.sentence(
      parts, format: format, ksmps: instance.ksmps, address: device?.address,
      asked: configuration.latency)
    {
      log.add(EngineMessage(.notice, text))
    }
    // JACK's server has its own period.
    if device == nil || device?.address.system == "alsa",
      let text = plan.buffers.differenceSentence(format, device: device?.address.subject ?? "")
    {
      log.add(EngineMessage(.notice, text))
    }
    for notice in device?.notices ?? [] { log.add(EngineMessage(.notice, notice)) }
    // JACK's order of priorities: its own threads above, those that compute for it level with its clients.
    if configuration.priority != nil, let priority = device?.realtimePriority {
      if setThreadRealtime(priority: priority) {
        facts.withLock { $0.statistics.serverPriority = priority }
      }
    }
    work?.begin(
      instance, orchestraLine: file.section("CsInstruments")?.first ?? 1, log: log)
    // While the instance is there.
    defer { work?.end() }
    log.collect()
    // For notes and delay lines, which Csound allocates when they start.
    reserveMemory(bytes: 8 << 20)
    // By now with Csound's opcode libraries.
    loadWholeProgram()
    // Closed here and not by CONTROL, which may be waiting for this thread.
    defer { closeDevices() }
    if let path = configuration.recording {
      try startRecording(path, configuration.recordingFormat)
    }
    started?.signal()

    RealtimeCheck.enter()
    let result = loop.run()
    RealtimeCheck.exit()

    withExtendedLifetime((performer, timer, record, device, capture)) {}
    guard let result else { return .stopped }
    if result < 0 {
      throw CsoundFailure.performance(result, name: file.name, lines: log.recent)
    }
    return .finished
  }

  private func closeDevices() {
    let (playing, capturing) = facts.withLock { facts in
      defer {
        facts.device = nil
        facts.capture = nil
      }
      return (facts.device, facts.capture)
    }
    playing?.close()
    capturing?.close()
  }

  // Compiles and opens the device, once more where the device has another rate than the CSD; nil where the start is
  // cancelled meanwhile.
  private func prepare(_ file: CSDFile, _ options: CsoundOptions) throws(EngineError) -> (
    CsoundInstance, AudioPlan, AudioDevice?
  )? {
    var overrides: [String] = []
    // Kept back: what is said before an instance was tried is taken for the trial's.
    var resampling: EngineMessage?
    while true {
      let instance = try CsoundInstance(file, options, overrides: overrides, log: log)
      let plan = try AudioPlan(
        configuration, instance.audioWishes, isSilent: options.isSilent,
        namesBuffers: options.namesBuffers, jackClient: options.setting("jack_client"),
        name: file.name)
      guard let address = plan.device else { return (instance, plan, nil) }
      let request = AudioRequest(
        rate: instance.rate, channels: instance.channels,
        inputChannels: plan.takesInput ? instance.inputChannels : 0,
        inputDevice: plan.inputDevice)
      let device: AudioDevice
      do throws(AudioError) {
        device = try BufferPlan.open(
          address, request, plan.buffers, ksmps: instance.ksmps, timing: configuration.timing,
          isCancelled: { isCancelled })
      } catch {
        if isCancelled { return nil }
        throw EngineError(.audio, error.description)
      }
      if device.format.rate == instance.rate {
        facts.withLock {
          $0.address = address
          $0.request = request
          $0.request?.period = device.format.period
          $0.request?.periods = device.format.periods
        }
        if let resampling { log.add(resampling) }
        return (instance, plan, device)
      }
      let rate = device.format.rate
      device.close()
      if !overrides.isEmpty {
        throw EngineError(
          .audio,
          "\(address.subject) offers \(rate) Hz and refuses it; choose another device\(address.resamplingHint)."
        )
      }
      resampling = EngineMessage(
        .notice,
        "\(address.subject) does not play \(instance.rate) Hz; Csound runs at \(rate) Hz\(address.resamplingHint)."
      )
      // kr follows from both, whatever the header says.
      overrides = ["--sample-rate=\(rate)", "--ksmps=\(instance.ksmps)"]
    }
  }

  // Whether nobody waits for the start any more.
  private var isCancelled: Bool {
    controls.pointee.isStopRequested.load(ordering: .acquiring)
  }

  // Opens what captures, unless the device that plays does. A microphone that is missing is no reason not to play.
  private func openCapture(_ plan: AudioPlan, _ device: AudioDevice?, _ format: AudioFormat)
    -> IndependentCapture?
  {
    if let notice = plan.notice { log.add(EngineMessage(.notice, notice)) }
    if let device, let notice = format.playbackNotice(device.address.subject) {
      log.add(EngineMessage(.notice, notice))
    }
    guard format.inputChannels > 0, let name = plan.captureName else { return nil }
    var capture: IndependentCapture?
    var notices: [String?] = []
    if let device, device.isDuplex {
      notices = [format.captureNotice(name, channels: device.captureChannels)]
    } else {
      do throws(AudioError) {
        let opened = try IndependentCapture.open(
          name, beside: format, isCancelled: { isCancelled })
        notices = [
          opened.resamplingNotice(beside: format.rate),
          format.captureNotice(name, channels: opened.format.deviceChannels),
        ]
        capture = opened
      } catch {
        notices = [isCancelled ? nil : error.description]
      }
    }
    for notice in notices { if let notice { log.add(EngineMessage(.notice, notice)) } }
    facts.withLock {
      $0.captureName = name
      $0.captureFormat = format
      $0.capture = capture
      $0.isCaptureMissing = capture == nil && !(device?.isDuplex ?? false)
    }
    return capture
  }

  // All names at once before the sound begins: later ones cost a compilation between two k-cycles.
  private func resolveInstruments(of file: CSDFile, _ instance: CsoundInstance) -> [String: Double]
  {
    var numbers: [String: Double] = [:]
    for name in file.instrumentNames where numbers[name] == nil {
      let number = "return nstrnum(\"\(name)\")\n".withCString { instance.calls.evaluate($0) }
      if number >= 1 { numbers[name] = number }
    }
    return numbers
  }

  private func publish(
    _ instance: CsoundInstance, _ format: AudioFormat, _ device: AudioDevice?,
    _ record: PatchRecord, _ instruments: [String: Double]
  ) {
    facts.withLock {
      $0.device = device
      $0.instruments = instruments
      $0.records[UnsafeRawPointer(Unmanaged.passUnretained(record).toOpaque())] = record
      $0.statistics.backend = device?.address.system ?? "none"
      $0.statistics.device = device?.name ?? ""
      $0.statistics.startTime = monotonicNow()
      $0.statistics.rate = instance.rate
      $0.statistics.channels = instance.channels
      $0.statistics.ksmps = instance.ksmps
      $0.statistics.period = format.period
      $0.statistics.periods = format.periods
    }
  }
}
