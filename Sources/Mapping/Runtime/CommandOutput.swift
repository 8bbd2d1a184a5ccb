internal import Events

/// The producer's end of the ring to the engine: drops no release, and lets values wait for room.
///
/// Of a channel whose value found no room the newest is sent later. Notes start only while there is room left to end
/// every note that is held, so a note-off always fits.
struct CommandOutput: ~Copyable {
  /// Room for switches and panics beside the note-offs.
  static var spareRoom: Int { @_noLocks get { 16 } }

  // Unmanaged, because a reference in a struct would be counted at each use; the runtime keeps both alive.
  private let ring: Unmanaged<SPSCRing<EngineCommand>>
  private let counters: Unmanaged<RuntimeCounters>
  /// What had room in the ring when it was last looked at, less what went in since: never more than there is.
  private var knownRoom = 0
  private var heldNotes = 0
  /// The program's. Its `waiting` are the slots whose values wait, as a ring of its own, so that the first to wait is
  /// the first to go.
  private var tables: ProgramTables
  private var firstWaiting = 0
  private var waitingCount = 0

  init(_ ring: SPSCRing<EngineCommand>, _ counters: RuntimeCounters, _ tables: ProgramTables) {
    self.ring = .passUnretained(ring)
    self.counters = .passUnretained(counters)
    self.tables = tables
  }

  /// Whether `switchProgram` would find room.
  var canSwitch: Bool { @_noLocks mutating get { hasRoom(beyond: heldNotes) } }

  /// Whether values wait for room.
  var isWaiting: Bool { @_noLocks get { waitingCount > 0 } }

  /// Gives channel `cell`, whose state is `state`, its value, through `slot`, unless it has just that.
  @_noLocks
  mutating func send(
    _ value: Double, _ state: UnsafeMutablePointer<SlotState>, cell: Int32, slot: Int32,
    time: Nanoseconds
  ) {
    if state.pointee.value == value && state.pointee.lastSlot == slot { return }
    // An infinity less itself is NaN, as is NaN.
    if value - value != 0 { return }
    state.pointee.value = value
    state.pointee.lastSlot = slot
    if state.pointee.waits {
      tables.waitingTimes[Int(cell)] = time
      counters._withUnsafeGuaranteedRef { $0.countReplacedValue() }
    } else if hasRoom(beyond: heldNotes + CommandOutput.spareRoom) {
      push(EngineCommand(.value, time: time, slot: Int(slot), value: value))
    } else {
      state.pointee.waits = true
      tables.waitingTimes[Int(cell)] = time
      wait(Int(cell))
    }
  }

  @_noLocks
  private mutating func push(_ command: EngineCommand) {
    knownRoom -= 1
    _ = ring._withUnsafeGuaranteedRef { $0.push(command) }
  }

  @_noLocks
  private mutating func hasRoom(beyond reserve: Int) -> Bool {
    if knownRoom > reserve { return true }
    // Only now, because to look takes the consumer's cache line.
    var room = 0
    ring._withUnsafeGuaranteedRef { room = $0.room() }
    knownRoom = room
    return room > reserve
  }

  @_noLocks
  private mutating func wait(_ cell: Int) {
    var position = firstWaiting + waitingCount
    if position >= tables.slotCount { position -= tables.slotCount }
    tables.waiting[position] = Int32(truncatingIfNeeded: cell)
    waitingCount += 1
  }

  /// Sends what waited, as far as there is room.
  @_noLocks
  mutating func sendWaiting() {
    while waitingCount > 0 && hasRoom(beyond: heldNotes + CommandOutput.spareRoom) {
      let cell = Int(tables.waiting[firstWaiting])
      let state = tables.slotState(cell)
      firstWaiting += 1
      if firstWaiting == tables.slotCount { firstWaiting = 0 }
      waitingCount -= 1
      state.pointee.waits = false
      push(
        EngineCommand(
          .value, time: tables.waitingTimes[cell], slot: Int(state.pointee.lastSlot),
          value: state.pointee.value))
    }
  }

  /// Starts a note, or counts it as dropped when it could not be ended for certain.
  @_noLocks
  mutating func startNote(
    slot: Int, _ state: UnsafeMutablePointer<SlotState>, key: Double, velocity: Double,
    time: Nanoseconds
  ) {
    endNote(slot: slot, state, time: time)
    // Itself, and the room for its end.
    if !hasRoom(beyond: heldNotes + 1 + CommandOutput.spareRoom) {
      counters._withUnsafeGuaranteedRef { $0.countDroppedNote() }
      return
    }
    state.pointee.value = key
    heldNotes += 1
    push(EngineCommand(.noteOn, time: time, slot: slot, value: velocity, key: key))
  }

  /// Ends the slot's note if one is held.
  @_noLocks
  mutating func endNote(
    slot: Int, _ state: UnsafeMutablePointer<SlotState>, time: Nanoseconds
  ) {
    let key = state.pointee.value
    if key != key { return }
    state.pointee.value = .nan
    heldNotes -= 1
    push(EngineCommand(.noteOff, time: time, slot: slot, key: key))
  }

  /// Sends what waits for slots that `after` lacks: the last chance for a button's release.
  @_noLocks
  mutating func sendLeaving(_ before: ProgramTables, _ after: ProgramTables) {
    var index = 0
    while index < waitingCount {
      var position = firstWaiting + index
      if position >= tables.slotCount { position -= tables.slotCount }
      let slot = Int(tables.waiting[position])
      // The switch itself needs room too.
      if !after.hasSlot(slot, of: before) && hasRoom(beyond: heldNotes + 1) {
        let state = before.slotState(slot)
        push(
          EngineCommand(
            .value, time: before.waitingTimes[slot], slot: Int(state.pointee.lastSlot),
            value: state.pointee.value))
      }
      index += 1
    }
  }

  @_noLocks
  mutating func panic(time: Nanoseconds) {
    if hasRoom(beyond: heldNotes) {
      push(EngineCommand(.panic, time: time, slot: 0))
    }
  }

  /// Tells the engine that from here on slots are those of `tables`, where the states of those that go on already are.
  @_noLocks
  mutating func switchProgram(_ tables: ProgramTables, time: Nanoseconds) {
    push(EngineCommand(.switch, time: time, slot: tables.generation))
    self.tables = tables
    let hadWaiting = waitingCount > 0
    firstWaiting = 0
    waitingCount = 0
    heldNotes = 0
    var slot = 0
    while slot < tables.slotCount {
      // States of channels are not looked at in vain: each is a cache line of its own.
      if tables.slotIsNote[slot] {
        if tables.slotState(slot).pointee.isHeld { heldNotes += 1 }
      } else if hadWaiting {
        if tables.slotState(slot).pointee.waits { wait(slot) }
      }
      slot += 1
    }
  }
}
