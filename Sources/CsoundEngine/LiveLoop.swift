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
  private let channels: Int
  private let clock: FrameClock
  private var backend: AudioBackend
  /// Takes over while a device is away.
  private let timer: Unmanaged<TimerOutput>
  // Frames that are computed and not yet written.
  private let queue: UnsafeMutablePointer<Double>
  private let queueFrames: Int
  private var queued = 0
  private var input: InputQueue
  /// Captures where the backend does not.
  private var capture: Unmanaged<IndependentCapture>?
  private var hasReportedCapture = false
  private var latency: SteadyLatency
  private var leastFrames = 0
  // Whether a k-cycle was half written when this backend came, so that its periods never end with one.
  private var isCarrying = false
  // Lateness of what happened before this moment is the fault of an interruption, not of the input.
  private var observesFrom: Nanoseconds
  // What is due before this moment has been computed; in terms of an event's own time.
  private var passed: Nanoseconds = .min
  // Frames from the request to stop on; see `stopping`.
  private var stopFrame: Int64 = .max
  private var stopDeadline: Nanoseconds = .max
  private var fadeFrames: Int64 = 0

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
    self.capture = capture.map { .passUnretained($0) }
    self.timer = .passUnretained(timer)
    ksmps = performer.ksmps
    channels = performer.channels
    queueFrames = max(backend.format.buffer, LiveLoop.largestBuffer) + ksmps
    queue = .allocate(capacity: queueFrames * channels)
    queue.initialize(repeating: 0, count: queueFrames * channels)
    input = InputQueue(channels: inputChannels, capacity: queueFrames + ksmps)
    observesFrom = monotonicNow()
    latency = SteadyLatency(
      cycle: clock.time(of: Int64(ksmps)),
      need: clock.time(of: Int64(backend.leastLatencyFrames(ksmps: ksmps))),
      start: monotonicNow())
    beginWithBackend()
  }

  deinit {
    queue.deallocate()
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
    isCarrying = dividesPeriod ? queued > 0 : false
    let isAhead = dividesPeriod ? isCarrying : true
    input.restart(silence: isAhead ? ksmps &- queued : 0)
    hasReportedCapture = false
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
  }

  @_noLocks
  private func showLatency() {
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
      capture = offer
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
    let next = map.time(of: performer._withUnsafeGuaranteedRef { $0.frame })
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
    if input.channels > 0 { hear(wanted) }
    while queued < wanted {
      // What arrives while the period is computed need not wait for the next one.
      takeCommands(limit: 512)
      if let result = runCycle() {
        // The rest of the period is silence.
        fill(from: queued, to: wanted)
        write(wanted)
        return result
      }
    }
    write(wanted)
    return nil
  }

  @_noLocks
  private func hear(_ frames: Int) {
    let place = input.append(frames)
    guard let capture else {
      backend.read(into: place, frames: frames)
      if backend.hasLostCapture { reportLostCapture() }
      return
    }
    let map = backend.map
    let first = backend.written
    let gaps = capture._withUnsafeGuaranteedRef { $0.gapCount }
    let isThere = capture._withUnsafeGuaranteedRef {
      $0.read(into: place, frames: frames, first: first, map: map)
    }
    if capture._withUnsafeGuaranteedRef({ $0.gapCount }) != gaps {
      counters.pointee.captureGaps.add()
    }
    if isThere { return }
    // CONTROL closes it when it has been told so.
    self.capture = nil
    hasReportedCapture = false
    reportLostCapture()
  }

  @_noLocks
  private func reportLostCapture() {
    if hasReportedCapture { return }
    hasReportedCapture = true
    report(EngineReport(kind: .captureLost, time: monotonicNow()))
  }

  @_noLocks
  private func runCycle() -> Int32? {
    let map = backend.map
    let frame = performer._withUnsafeGuaranteedRef { $0.frame }
    let start = map.time(of: frame)
    var moment = CycleTime(start: start)
    switch timing {
    case .asap: break
    case .steady:
      let end = map.time(of: frame &+ Int64(ksmps))
      moment = CycleTime(start: start, end: end, latency: latency.value, passed: passed)
      passed = moment.limit
    }
    let block = queue + queued &* channels
    let heard = input.channels > 0 ? input.next(ksmps) : nil
    let before = monotonicNow()
    let result = performer._withUnsafeGuaranteedRef {
      $0.runCycle(moment, from: heard, into: block)
    }
    let length = monotonicNow() &- before
    performer._withUnsafeGuaranteedRef { $0.countTime(length, from: before) }
    if result != 0 { return result }
    fade(block, from: frame)
    queued &+= ksmps
    return nil
  }

  @_noLocks
  private func write(_ frames: Int) {
    backend.write(queue, frames: frames)
    counters.pointee.deviceOrigin.store(backend.origin, ordering: .relaxed)
    let rest = (queued &- frames) &* channels
    queued = max(queued &- frames, 0)
    var index = 0
    while index < rest {
      queue[index] = queue[frames &* channels &+ index]
      index &+= 1
    }
  }

  @_noLocks
  private func fill(from start: Int, to end: Int) {
    var index = start &* channels
    while index < end &* channels {
      queue[index] = 0
      index &+= 1
    }
  }

  // MARK: the end

  // A stop releases all notes, lets them sound for 280 ms if there were any, fades in 20 ms, and
  // waits until the device has played that; a second in all, whatever the buffer and the rate are.
  @_noLocks
  private func isStopDue() -> Bool {
    if !controls.pointee.isStopRequested.load(ordering: .acquiring) { return false }
    let frame = performer._withUnsafeGuaranteedRef { $0.frame }
    if stopFrame == .max {
      let tail = performer._withUnsafeGuaranteedRef { (performer: Performer) -> Int64 in
        let wereHeld = performer.heldCount > 0
        performer.releaseForStop()
        return wereHeld ? 280 : 0
      }
      stopFrame = frame &+ tail &* clock.rate / 1000
      fadeFrames = clock.rate / 50
      stopDeadline = monotonicNow() &+ 1_000_000_000
      return false
    }
    if monotonicNow() > stopDeadline { return true }
    return frame &- Int64(queued) >= stopFrame &+ fadeFrames &+ Int64(backend.format.buffer)
  }

  @_noLocks
  private func fade(_ block: UnsafeMutablePointer<Double>, from frame: Int64) {
    if stopFrame == .max { return }
    for index in 0..<ksmps {
      let after = frame &+ Int64(index) &- stopFrame
      if after <= 0 { continue }
      let gain = after < fadeFrames ? 1 - Double(after) / Double(fadeFrames) : 0
      for channel in 0..<channels { block[index &* channels &+ channel] *= gain }
    }
  }
}

/// What other threads ask of PERFORM; behind a pointer, because PERFORM may not count references.
struct LiveControls: ~Copyable, Sendable {
  let isStopRequested = Atomic<Bool>(false)
  /// Whether the timer stands in for a lost device.
  let isOnTimer = Atomic<Bool>(false)
  private let offer = Atomic<UInt>(0)
  private let captureOffer = Atomic<UInt>(0)

  /// Hands over a device that was opened again; CONTROL keeps it alive. Replaces an offer that was not taken.
  func makeOffer(_ device: AudioDevice) {
    offer.store(UInt(bitPattern: Unmanaged.passUnretained(device).toOpaque()), ordering: .releasing)
  }

  @_noLocks
  func takeOffer() -> Unmanaged<AudioDevice>? {
    if offer.load(ordering: .relaxed) == 0 { return nil }
    let bits = offer.exchange(0, ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(pointer)
  }

  /// The same for a device that captures.
  func makeOffer(_ capture: IndependentCapture) {
    captureOffer.store(
      UInt(bitPattern: Unmanaged.passUnretained(capture).toOpaque()), ordering: .releasing)
  }

  @_noLocks
  func takeCaptureOffer() -> Unmanaged<IndependentCapture>? {
    if captureOffer.load(ordering: .relaxed) == 0 { return nil }
    let bits = captureOffer.exchange(0, ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(pointer)
  }
}
