import Events

/// Starts and ends the notes that the mapping holds, so that none sticks and lateness shortens none.
///
/// `cycle` is everywhere the k-cycle that is about to be computed.
struct NotePlayer {
  private let calls: CsoundCalls
  /// Where notes start within a k-cycle, nil where Csound starts them with it.
  private let start: NoteStart?
  private let ksmps: Int64
  private var notes = HeldNotes()
  private var isStopping = false

  init(_ instance: CsoundInstance) {
    calls = instance.calls
    ksmps = Int64(instance.ksmps)
    start =
      instance.isSampleAccurate ? NoteStart(rate: instance.rate, ksmps: instance.ksmps) : nil
  }

  /// Frees its memory; the last call.
  func deallocate() { notes.deallocate() }

  /// How many are held, ending ones included.
  var count: Int { @_noLocks get { notes.count } }

  subscript(index: Int) -> HeldNotes.Note { @_noLocks get { notes[index] } }

  /// Starts a note, and lets the one go that its slot holds with this key; false where too many are held.
  @_noLocks
  mutating func start(
    _ command: EngineCommand, instrument: Double, due: Nanoseconds, lateness: Nanoseconds,
    _ moment: CycleTime, cycle: Int64
  ) -> Bool {
    if isStopping { return true }
    if let held = notes.find(slot: command.slot, key: command.key) {
      _ = letGo(held, due: due, moment, cycle: cycle)
    }
    let p1 = notes.add(
      slot: command.slot, key: command.key, instrument: instrument, cycle: cycle, shift: lateness,
      latency: moment.latency)
    guard let p1 else { return false }
    var p2 = 0.0
    if let start {
      let frame = start.frame(moment, due: due, cycleFrame: cycle &* ksmps)
      p2 = start.p2(frame, isFirstCycle: cycle == 0)
    }
    calls.startNote(p1, start: p2, key: command.key, velocity: command.value)
    return true
  }

  /// Ends the note that the command's slot holds with its key.
  ///
  /// - Returns: whether it ends in this k-cycle; false if later, since it began late.
  @_noLocks
  mutating func end(
    _ command: EngineCommand, due: Nanoseconds, _ moment: CycleTime, cycle: Int64
  ) -> Bool {
    guard let held = notes.find(slot: command.slot, key: command.key) else { return true }
    return letGo(held, due: due, moment, cycle: cycle)
  }

  /// Ends what was put off until this k-cycle.
  @_noLocks
  mutating func endDue(_ moment: CycleTime, cycle: Int64) {
    if notes.endingCount == 0 { return }
    var index = notes.count
    while index > 0 {
      index &-= 1
      if notes[index].end < moment.limit { release(index, cycle: cycle) }
    }
  }

  /// Releases every note.
  @_noLocks
  mutating func releaseAll(cycle: Int64) {
    var index = notes.count
    while index > 0 {
      index &-= 1
      release(index, cycle: cycle)
    }
  }

  /// Releases every note, and starts none any more.
  @_noLocks
  mutating func stop(cycle: Int64) {
    isStopping = true
    releaseAll(cycle: cycle)
  }

  /// Releases one note; it lasts one k-cycle at least. The last one takes its index.
  @_noLocks
  mutating func release(_ index: Int, cycle: Int64) {
    if notes[index].cycle == cycle {
      notes.end(index, at: .min)
    } else {
      calls.releaseNote(notes[index].p1)
      notes.remove(index)
    }
  }

  @_noLocks
  private mutating func letGo(
    _ held: Int, due: Nanoseconds, _ moment: CycleTime, cycle: Int64
  ) -> Bool {
    let note = notes[held]
    var end = due &+ note.shift
    if note.latency > moment.latency { end &+= note.latency &- moment.latency }
    if end >= moment.limit {
      notes.end(held, at: end)
      return false
    }
    // Csound ends notes with a k-cycle only, so one that may have started within one ends with the next,
    // rather than too early.
    if let start, start.frame(moment, due: end, cycleFrame: cycle &* ksmps) > 0 {
      notes.end(held, at: .min)
    } else {
      release(held, cycle: cycle)
    }
    return true
  }
}
