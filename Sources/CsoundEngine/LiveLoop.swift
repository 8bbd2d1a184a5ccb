import Audio
import Events
import LinuxIO
import Synchronization

/// The loop of the PERFORM thread: waits for the audio backend, takes commands, computes k-cycles, writes blocks.
///
/// Nothing here allocates, locks or logs.
final class LiveLoop {
  private let performer: Unmanaged<Performer>
  private let commands: Unmanaged<SPSCRing<EngineCommand>>
  private let reports: Unmanaged<SPSCRing<EngineReport>>
  private let controls: UnsafeMutablePointer<LiveControls>
  private let counters: UnsafeMutablePointer<EngineCounters>
  private let timing: Timing
  private let ksmps: Int
  private let clock: FrameClock
  private var backend: AudioBackend
  /// Takes over while a device is away.
  private let timer: Unmanaged<TimerOutput>
  private var output: OutputQueue
  private var input: CapturedInput
  private var latency: SteadyLatency
  private var leastFrames = 0
  // Whether a k-cycle was half written when this backend came, so that its periods never end with one.
  private var isCarrying = false
  // Lateness of what happened before this moment is the fault of an interruption, not of the input.
  private var observesFrom: Nanoseconds
  // What is due before this moment has been computed; in terms of an event's own time.
  private var passed: Nanoseconds = .min
  // Once a stop was asked for.
  private var stopFade: StopFade?
  private var gain: OutputGain
  // Frames that were played while time stood still.
  private var pausedFrames: Int64 = 0

  /// The longest buffer of a device that may take over during the run.
  static var largestBuffer: Int { 16384 }

  init(
    performer: Performer, commands: SPSCRing<EngineCommand>, reports: SPSCRing<EngineReport>,
    controls: UnsafeMutablePointer<LiveControls>, counters: UnsafeMutablePointer<EngineCounters>,
    timing: Timing, rate: Int, inputChannels: Int, backend: AudioBackend, timer: TimerOutput,
    capture: IndependentCapture?
  ) {
    self.performer = .passUnretained(performer)
    self.commands = .passUnretained(commands)
    self.reports = .passUnretained(reports)
    self.controls = controls
    self.counters = counters
    self.timing = timing
    clock = FrameClock(rate: rate)
    self.backend = backend
    self.timer = .passUnretained(timer)
    ksmps = performer.ksmps
    let capacity = max(backend.format.buffer, LiveLoop.largestBuffer) + ksmps
    output = OutputQueue(channels: performer.channels, capacity: capacity)
    input = CapturedInput(channels: inputChannels, capacity: capacity + ksmps, capture: capture)
    gain = OutputGain(rate: rate)
    observesFrom = monotonicNow()
    latency = SteadyLatency(
      cycle: clock.time(of: Int64(ksmps)),
      need: clock.time(of: Int64(backend.leastLatencyFrames(ksmps: ksmps))),
      start: monotonicNow())
    beginWithBackend()
  }

  deinit {
    output.deallocate()
    input.deallocate()
    latency.deallocate()
  }

  /// Plays until Csound ends (its result), or a stop was asked for (nil).
  @_noLocks
  func run() -> Int32? {
    while true {
      takeOffers()
      switch backend.wait() {
      case .lost: loseDevice()
      case .xrun(let length): countXrun(length)
      case .resized: changePeriod()
      case .frames(let wanted):
        if isStopDue() { return nil }
        takeCommands(limit: 4096)
        settleLatency()
        if wanted == 0 { continue }
        if let result = produce(wanted) { return result }
      }
    }
  }

  // MARK: the backend

  @_noLocks
  private func beginWithBackend() {
    observesFrom = monotonicNow()
    let dividesPeriod = backend.aheadFrames(ksmps: ksmps) == 0
    isCarrying = dividesPeriod ? output.count > 0 : false
    let isAhead = dividesPeriod ? isCarrying : true
    input.restart(silence: isAhead ? ksmps &- output.count : 0)
    leastFrames = neededFrames
    latency.change(need: clock.time(of: Int64(leastFrames)))
    showLatency()
  }

  private var neededFrames: Int {
    @_noLocks get {
      backend.leastLatencyFrames(ksmps: ksmps) &+ (isCarrying ? ksmps : 0)
    }
  }

  // Once per wake-up: what the device and the input have taught.
  @_noLocks
  private func settleLatency() {
    let before = latency.value
    let frames = neededFrames
    if frames != leastFrames {
      leastFrames = frames
      latency.learn(need: clock.time(of: Int64(frames)))
    }
    latency.settle(at: monotonicNow())
    if latency.value != before { showLatency() }
    showCapture()
  }

  @_noLocks
  private func showCapture() {
    counters.pointee.captureLatency.store(
      input.delay(beside: backend, clock), ordering: .relaxed)
  }

  @_noLocks
  private func showLatency() {
    showCapture()
    let counters = counters
    let format = backend.format
    counters.pointee.period.store(format.period, ordering: .relaxed)
    counters.pointee.bufferLatency.store(
      clock.time(of: Int64(format.buffer)), ordering: .relaxed)
    counters.pointee.deviceLatency.store(
      clock.time(of: Int64(backend.addedFrames)), ordering: .relaxed)
    switch timing {
    case .asap: return
    case .steady:
      counters.pointee.cycleLatency.store(
        clock.time(of: Int64(isCarrying ? ksmps : backend.aheadFrames(ksmps: ksmps))),
        ordering: .relaxed)
      counters.pointee.margin.store(max(latency.marginValue, 0), ordering: .relaxed)
      counters.pointee.latency.store(latency.value, ordering: .relaxed)
      counters.pointee.latencyFrames.store(
        Int(clock.frame(at: latency.value &+ 1)), ordering: .relaxed)
    }
  }

  @_noLocks
  private func loseDevice() {
    let written = backend.written
    let map = backend.map
    let now = monotonicNow()
    timer._withUnsafeGuaranteedRef { $0.takeOver(written: written, map: map, now: now) }
    switch backend {
    case .timer: return
    case .alsa, .jack: break
    }
    backend = .timer(timer)
    beginWithBackend()
    controls.pointee.isOnTimer.store(true, ordering: .releasing)
    counters.pointee.deviceLosses.add()
    report(EngineReport(kind: .deviceLost, time: now))
  }

  // What CONTROL has opened again.
  @_noLocks
  private func takeOffers() {
    if let offer = controls.pointee.takeCaptureOffer() {
      input.use(offer)
      report(EngineReport(kind: .captureReturned, time: monotonicNow()))
    }
    guard let offer = controls.pointee.takeOffer() else { return }
    let written = backend.written
    backend = offer._withUnsafeGuaranteedRef { $0.backend }
    backend.takeOver(written: written)
    beginWithBackend()
    controls.pointee.isOnTimer.store(false, ordering: .releasing)
    report(EngineReport(kind: .deviceReturned, time: monotonicNow()))
  }

  @_noLocks
  private func changePeriod() {
    let period = backend.format.period
    if period == counters.pointee.period.load(ordering: .relaxed) {
      leastFrames = neededFrames
      latency.change(need: clock.time(of: Int64(leastFrames)))
      showLatency()
      return
    }
    beginWithBackend()
    report(EngineReport(kind: .periodChanged, slot: period, time: monotonicNow()))
  }

  @_noLocks
  private func countXrun(_ length: Nanoseconds) {
    let now = monotonicNow()
    observesFrom = now
    counters.pointee.xruns.add()
    counters.pointee.lastXrunTime.store(now, ordering: .relaxed)
    counters.pointee.lastXrunLength.store(length, ordering: .relaxed)
    report(EngineReport(kind: .xrun, time: now, length: length))
  }

  @_noLocks
  private func report(_ report: EngineReport) {
    _ = reports._withUnsafeGuaranteedRef { $0.push(report) }
  }

  // MARK: commands

  // Bounded, so that a flood cannot keep the sound waiting.
  @_noLocks
  private func takeCommands(limit: Int) {
    var left = limit
    let map = backend.map
    let next = map.time(of: frame)
    let need = clock.time(of: Int64(leastFrames))
    while left > 0 {
      left &-= 1
      var taken: EngineCommand?
      commands._withUnsafeGuaranteedRef { taken = $0.pop() }
      guard let command = taken else { break }
      let lateness = next &- command.time &- need
      // What is older than that was not delivered late: it is a state that was already there.
      if lateness < 50_000_000 {
        if command.time >= observesFrom { latency.observe(lateness: lateness) }
      }
      performer._withUnsafeGuaranteedRef { $0.accept(command) }
    }
  }

  // MARK: k-cycles

  @_noLocks
  private func produce(_ wanted: Int) -> Int32? {
    hear(wanted)
    while output.count < wanted {
      // What arrives while the period is computed need not wait for the next one.
      takeCommands(limit: 512)
      if let result = runCycle() {
        // The rest of the period is silence.
        output.fill(to: wanted)
        write(wanted)
        return result
      }
    }
    write(wanted)
    return nil
  }

  @_noLocks
  private func hear(_ frames: Int) {
    switch input.hear(frames, beside: backend) {
    case .heard: break
    case .gap: counters.pointee.captureGaps.add()
    case .lost: report(EngineReport(kind: .captureLost, time: monotonicNow()))
    }
  }

  /// The frame of the output with which the next k-cycle begins.
  private var frame: Int64 {
    @_noLocks get { performer._withUnsafeGuaranteedRef { $0.frame } &+ pausedFrames }
  }

  @_noLocks
  private func runCycle() -> Int32? {
    if controls.pointee.isPaused.load(ordering: .relaxed) {
      if gain.isClosed {
        rest()
        return nil
      }
    }
    let map = backend.map
    let frame = frame
    let start = map.time(of: frame)
    var moment = CycleTime(start: start)
    switch timing {
    case .asap: break
    case .steady:
      let end = map.time(of: frame &+ Int64(ksmps))
      moment = CycleTime(start: start, end: end, latency: latency.value, passed: passed)
      passed = moment.limit
    }
    let block = output.end
    let heard = input.next(ksmps)
    let before = monotonicNow()
    let result = performer._withUnsafeGuaranteedRef {
      $0.runCycle(moment, from: heard, into: block)
    }
    let length = monotonicNow() &- before
    performer._withUnsafeGuaranteedRef { $0.countTime(length, from: before) }
    if result != 0 { return result }
    let channels = performer._withUnsafeGuaranteedRef { $0.channels }
    gain.apply(to: block, frames: ksmps, channels: channels, isOpen: isOpen)
    if let stopFade {
      stopFade.apply(to: block, from: frame, frames: ksmps, channels: channels)
    }
    controls.pointee.record(block, frames: ksmps)
    output.append(ksmps)
    return nil
  }

  // A k-cycle's worth of time in which nothing moves.
  @_noLocks
  private func rest() {
    performer._withUnsafeGuaranteedRef { $0.rest() }
    // What is said in the meantime is not heard later.
    _ = input.next(ksmps)
    output.fill(to: output.count &+ ksmps)
    pausedFrames &+= Int64(ksmps)
  }

  private var isOpen: Bool {
    @_noLocks get {
      if controls.pointee.isPaused.load(ordering: .relaxed) { return false }
      return !controls.pointee.isMuted.load(ordering: .relaxed)
    }
  }

  @_noLocks
  private func write(_ frames: Int) {
    backend.write(output.first, frames: frames)
    counters.pointee.deviceOrigin.store(backend.origin, ordering: .relaxed)
    output.remove(frames)
  }

  // MARK: the end

  @_noLocks
  private func isStopDue() -> Bool {
    if !controls.pointee.isStopRequested.load(ordering: .acquiring) { return false }
    // Notes that stand still have nothing to fade.
    if controls.pointee.isPaused.load(ordering: .relaxed) { if gain.isClosed { return true } }
    let now = monotonicNow()
    if let stopFade {
      return stopFade.isOver(
        written: frame &- Int64(output.count), buffer: backend.format.buffer, now: now)
    }
    let wereHeld = performer._withUnsafeGuaranteedRef { (performer: Performer) -> Bool in
      let wereHeld = performer.heldCount > 0
      performer.releaseForStop()
      return wereHeld
    }
    stopFade = StopFade(at: frame, wereNotesHeld: wereHeld, clock: clock, now: now)
    return false
  }
}
