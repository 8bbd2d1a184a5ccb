import Events
import Synchronization

/// One k-cycle after the other: takes the commands that are due, moves channels and notes, lets Csound compute.
///
/// Live and offline are the same but for who says what is due. The engine's thread alone.
final class Performer {
  let calls: CsoundCalls
  private let host: Unmanaged<CsoundHost>
  let ksmps: Int
  let channels: Int
  /// Whether Csound hands over its blocks (`-odac`), or keeps them (`-o FILE`, `-n`).
  private let takesOutput: Bool
  private let outputScale: Double
  private let counters: UnsafeMutablePointer<EngineCounters>
  private let reports: Unmanaged<SPSCRing<EngineReport>>
  private let account: Unmanaged<AccountBuffer>?
  /// What a host program does around each k-cycle.
  private let hooks: HostHooks
  private var patches: PatchQueue
  private var pending: PendingCommands
  private var notes: NotePlayer
  private var publishPosition = 0
  private var publishCount = 0
  private let cycleLength: Double
  private var load = 0.0
  private var hasReportedNotFinite = false
  /// k-cycles and frames computed so far.
  private(set) var cycle: Int64 = 0
  private(set) var frame: Int64 = 0

  init(
    _ instance: CsoundInstance, takesOutput: Bool, patch: PatchRecord, pendingCapacity: Int,
    counters: UnsafeMutablePointer<EngineCounters>, reports: SPSCRing<EngineReport>,
    account: AccountBuffer?, work: HostWork? = nil,
    incoming: SPSCRing<UnsafeRawPointer>, retired: SPSCRing<UnsafeRawPointer>
  ) {
    calls = instance.calls
    host = .passUnretained(instance.host)
    ksmps = instance.ksmps
    channels = instance.channels
    cycleLength = 1e9 * Double(instance.ksmps) / Double(instance.rate)
    outputScale = 1 / instance.fullScale
    notes = NotePlayer(instance)
    self.takesOutput = takesOutput
    self.counters = counters
    self.reports = .passUnretained(reports)
    self.account = account.map { .passUnretained($0) }
    hooks = HostHooks(work)
    patches = PatchQueue(playing: patch, incoming: incoming, retired: retired)
    pending = PendingCommands(capacity: pendingCapacity)
    instance.host.blockSamples = ksmps * channels
    instance.host.inputSamples = ksmps * instance.inputChannels
    counters.pointee.generation.store(patch.generation, ordering: .relaxed)
    resolve(patches.playing, limit: .max)
    startPublishing()
  }

  deinit {
    pending.deallocate()
    notes.deallocate()
  }

  var heldCount: Int { @_noLocks get { notes.count } }

  /// Takes a command; it is applied in the k-cycle that contains its time.
  @_noLocks
  func accept(_ command: EngineCommand) {
    if pending.isFull {
      // Rather too early than never: a lost note-off would sound for ever.
      counters.pointee.late.add()
      applyFirst(CycleTime(start: 0))
    }
    pending.insert(command)
  }

  /// Applies what belongs into the k-cycle at `moment`, and computes it into `block`.
  ///
  /// - Parameter input: what it hears, ksmps frames of the instance's input channels; nil is silence.
  /// - Returns: what `csoundPerformBuffer` says: 0 to go on.
  @_noLocks
  func runCycle(
    _ moment: CycleTime, from input: UnsafePointer<Double>? = nil,
    into block: UnsafeMutablePointer<Double>
  ) -> Int32 {
    notes.endDue(moment, cycle: cycle)
    while applyFirst(moment) {}
    patches.playing._withUnsafeGuaranteedRef { $0.glide() }
    prepareNext()
    let heard = hooks.before(calls, hearing: input)
    host._withUnsafeGuaranteedRef {
      $0.block = block
      $0.input = heard
    }
    let result = calls.performCycle()
    if result != 0 {
      // Csound leaves the last block where it was.
      silence(block)
    } else if !takesOutput {
      calls.copyOutput(block, samples: ksmps &* channels, scale: outputScale)
    }
    cycle &+= 1
    frame &+= Int64(ksmps)
    publish()
    hooks.after(block)
    return result
  }

  /// Does what others asked for while no k-cycle is computed.
  @_noLocks
  func rest() { hooks.rest() }

  /// Takes note of how long the last k-cycle took, and when it began.
  @_noLocks
  func countTime(_ length: Nanoseconds, from start: Nanoseconds) {
    if length > counters.pointee.worstCycle.load(ordering: .relaxed) {
      counters.pointee.worstCycleTime.store(start, ordering: .relaxed)
      counters.pointee.worstCycle.store(length, ordering: .relaxed)
    }
    // Smoothed over a second of music; a k-cycle may be longer than that, and the weight is never above 1.
    let weight = cycleLength < 1e9 ? cycleLength / 1e9 : 1
    load += (Double(length) / cycleLength - load) * weight
    counters.pointee.load.store(Int(load * 1e6), ordering: .relaxed)
  }

  @_noLocks
  private func silence(_ block: UnsafeMutablePointer<Double>) {
    for index in 0..<(ksmps &* channels) { block[index] = 0 }
  }

  /// Releases every note that is held, and starts none any more.
  @_noLocks
  func releaseForStop() { notes.stop(cycle: cycle) }

  @_noLocks
  @discardableResult
  private func applyFirst(_ moment: CycleTime) -> Bool {
    guard let entry = pending.first(before: moment.limit) else { return false }
    pending.removeFirst()
    let lateness = moment.lateness(of: entry.due)
    if lateness > 0 { counters.pointee.late.add() }
    let command = entry.command
    var isInTime = lateness == 0
    switch command.kind {
    case .value: applyValue(command)
    case .noteOn: startNote(entry, lateness, moment)
    case .noteOff:
      if !notes.end(command, due: entry.due, moment, cycle: cycle) { isInTime = false }
    case .switch: switchPatch(Int(command.slot))
    case .panic: notes.releaseAll(cycle: cycle)
    }
    keepAccount(command, isInTime, moment)
    return true
  }

  @_noLocks
  private func keepAccount(
    _ command: EngineCommand, _ isInTime: Bool, _ moment: CycleTime
  ) {
    guard let account else { return }
    let applied = AppliedCommand(
      kind: command.kind, slot: command.slot, value: command.value, key: command.key,
      time: command.time, frame: frame, frameTime: moment.start, latency: moment.latency,
      wasLate: !isInTime)
    account._withUnsafeGuaranteedRef { $0.append(applied) }
  }

  @_noLocks
  private func refuse(_ command: EngineCommand, isFinite: Bool) {
    counters.pointee.refused.add()
    let isKnown = hasReportedNotFinite
    if isFinite || isKnown { return }
    hasReportedNotFinite = true
    report(.notFinite, slot: Int(command.slot))
  }

  @_noLocks
  private func applyValue(_ command: EngineCommand) {
    let slot = Int(command.slot)
    let value = command.value
    // NaN − NaN and ∞ − ∞ are NaN, which equals nothing.
    let isFinite = value - value == 0
    let isDone = patches.playing._withUnsafeGuaranteedRef { (patch: PatchRecord) -> Bool in
      if slot >= patch.count { return false }
      guard let channel = patch.slots[slot].channel else { return false }
      if !isFinite { return false }
      patch.set(slot, value, channel)
      return true
    }
    if !isDone { refuse(command, isFinite: isFinite) }
  }

  @_noLocks
  private func startNote(
    _ entry: PendingCommands.Entry, _ lateness: Nanoseconds, _ moment: CycleTime
  ) {
    let command = entry.command
    let slot = Int(command.slot)
    let instrument = patches.playing._withUnsafeGuaranteedRef { (patch: PatchRecord) -> Double in
      if slot >= patch.count { return -1 }
      switch patch.slots[slot].kind {
      case .note: return patch.slots[slot].instrument
      case .unused, .channel: return -1
      }
    }
    let isFinite = command.value - command.value == 0 && command.key - command.key == 0
    if instrument < 1 || !isFinite {
      refuse(command, isFinite: isFinite)
      return
    }
    let isStarted = notes.start(
      command, instrument: instrument, due: entry.due, lateness: lateness, moment, cycle: cycle)
    if !isStarted { counters.pointee.dropped.add() }
  }

  // MARK: patches

  @_noLocks
  private func report(_ kind: EngineReport.Kind, generation: Int? = nil, slot: Int = 0) {
    let current = patches.playing._withUnsafeGuaranteedRef { $0.generation }
    let made = EngineReport(kind: kind, generation: generation ?? current, slot: slot)
    // A mapping with thousands of wrong names must not keep CONTROL from hearing that a device has left.
    reports._withUnsafeGuaranteedRef { if $0.room() > 256 { $0.push(made) } }
  }

  // Names are looked up ahead of the switch, a few in each k-cycle, so that a large patch costs no sound.
  @_noLocks
  private func prepareNext() {
    patches.look()
    if let next = patches.next { resolve(next, limit: 2 &* ksmps) }
  }

  @_noLocks
  private func resolve(_ record: Unmanaged<PatchRecord>, limit: Int) {
    let calls = calls
    let playing = patches.playing._withUnsafeGuaranteedRef { $0.state }
    var left = limit
    while left > 0 {
      let (wrong, done) = record._withUnsafeGuaranteedRef { (record: PatchRecord) -> (Int, Int) in
        let before = record.resolvedCount
        let wrong = record.resolve(left, calls, after: playing)
        return (wrong, record.resolvedCount &- before)
      }
      // Everything else is resolved, or its turn comes later.
      if wrong < 0 { break }
      left &-= done
      reportSlot(wrong, of: record)
    }
    let (isDone, generation) = record._withUnsafeGuaranteedRef {
      ($0.resolvedCount == $0.count, $0.generation)
    }
    if isDone { counters.pointee.prepared.store(generation, ordering: .releasing) }
  }

  @_noLocks
  private func reportSlot(_ slot: Int, of record: Unmanaged<PatchRecord>) {
    let (kind, generation) = record._withUnsafeGuaranteedRef { record in
      (record.slots[slot].kind, record.generation)
    }
    switch kind {
    case .note: report(.unknownInstrument, generation: generation, slot: slot)
    case .unused, .channel: report(.wrongChannel, generation: generation, slot: slot)
    }
  }

  @_noLocks
  private func switchPatch(_ generation: Int) {
    guard patches.find(generation), let next = patches.next else {
      counters.pointee.refused.add()
      report(.missingPatch, generation: generation)
      return
    }
    resolve(next, limit: .max)
    patches.advance()
    startPublishing()
    releaseOrphans()
    counters.pointee.generation.store(generation, ordering: .releasing)
  }

  // Notes of slots that are no longer the same instrument's.
  @_noLocks
  private func releaseOrphans() {
    var index = notes.count
    while index > 0 {
      index &-= 1
      let note = notes[index]
      let slot = Int(note.slot)
      let instrument = patches.playing._withUnsafeGuaranteedRef { (patch: PatchRecord) -> Double in
        slot < patch.count ? patch.slots[slot].instrument : 0
      }
      if note.p1 - instrument >= 1 || note.p1 <= instrument {
        notes.release(index, cycle: cycle)
      }
    }
  }

  // All slots within 10 ms, but no more than 64 in one k-cycle.
  @_noLocks
  private func startPublishing() {
    let count = patches.playing._withUnsafeGuaranteedRef { $0.count }
    let share = Double(count) * min(cycleLength / 10e6, 1)
    publishCount = min(Int(share) &+ 1, 64)
    publishPosition = 0
  }

  @_noLocks
  private func publish() {
    let start = publishPosition
    let limit = publishCount
    let end = patches.playing._withUnsafeGuaranteedRef { patch -> Int in
      patch.publish(from: start, limit: limit)
      return patch.count
    }
    publishPosition = start &+ limit < end ? start &+ limit : 0
    counters.pointee.cycles.store(Int(cycle), ordering: .relaxed)
    counters.pointee.heldNotes.store(notes.count, ordering: .relaxed)
  }
}
