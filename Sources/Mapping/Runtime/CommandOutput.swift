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
  private var states: UnsafeMutablePointer<SlotState>
  /// The slots whose values wait, as a ring of its own, so that the first to wait is the first to go.
  private var waiting: UnsafeMutablePointer<Int32>
  private var waitingCapacity: Int
  private var firstWaiting = 0
  private var waitingCount = 0

  init(_ ring: SPSCRing<EngineCommand>, _ counters: RuntimeCounters, _ tables: ProgramTables) {
    self.ring = .passUnretained(ring)
    self.counters = .passUnretained(counters)
    states = tables.slotStates
    waiting = tables.waiting
    waitingCapacity = tables.slotCount
  }

  /// Whether `switchProgram` would find room.
  var canSwitch: Bool { @_noLocks mutating get { hasRoom(beyond: heldNotes) } }

  /// Whether values wait for room.
  var isWaiting: Bool { @_noLocks get { waitingCount > 0 } }

  /// Gives channel `cell` its value, through `slot`, unless it has just that.
  @_noLocks
  mutating func send(_ value: Double, cell: Int, slot: Int, time: Nanoseconds) {
    let state = states + cell
    if state.pointee.value == value && state.pointee.lastSlot == slot { return }
    // An infinity less itself is NaN, as is NaN.
    if value - value != 0 { return }
    state.pointee.value = value
    state.pointee.lastSlot = Int32(truncatingIfNeeded: slot)
    state.pointee.time = time
    if state.pointee.waits {
      counters._withUnsafeGuaranteedRef { $0.countReplacedValue() }
    } else if hasRoom(beyond: heldNotes + CommandOutput.spareRoom) {
      push(EngineCommand(.value, time: time, slot: slot, value: value))
    } else {
      wait(cell)
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
    states[cell].waits = true
    var position = firstWaiting + waitingCount
    if position >= waitingCapacity { position -= waitingCapacity }
    waiting[position] = Int32(truncatingIfNeeded: cell)
    waitingCount += 1
  }

  /// Sends what waited, as far as there is room.
  @_noLocks
  mutating func sendWaiting() {
    while waitingCount > 0 && hasRoom(beyond: heldNotes + CommandOutput.spareRoom) {
      let state = states + Int(waiting[firstWaiting])
      firstWaiting += 1
      if firstWaiting == waitingCapacity { firstWaiting = 0 }
      waitingCount -= 1
      state.pointee.waits = false
      push(
        EngineCommand(
          .value, time: state.pointee.time, slot: Int(state.pointee.lastSlot),
          value: state.pointee.value))
    }
  }

  /// Starts a note, or counts it as dropped when it could not be ended for certain.
  @_noLocks
  mutating func startNote(slot: Int, key: Double, velocity: Double, time: Nanoseconds) {
    endNote(slot: slot, time: time)
    // Itself, and the room for its end.
    if !hasRoom(beyond: heldNotes + 1 + CommandOutput.spareRoom) {
      counters._withUnsafeGuaranteedRef { $0.countDroppedNote() }
      return
    }
    states[slot].value = key
    heldNotes += 1
    push(EngineCommand(.noteOn, time: time, slot: slot, value: velocity, key: key))
  }

  /// Ends the slot's note if one is held.
  @_noLocks
  mutating func endNote(slot: Int, time: Nanoseconds) {
    let key = states[slot].value
    if key != key { return }
    states[slot].value = .nan
    heldNotes -= 1
    push(EngineCommand(.noteOff, time: time, slot: slot, key: key))
  }

  /// Sends what waits for slots that `after` lacks: the last chance for a button's release.
  @_noLocks
  mutating func sendLeaving(_ before: ProgramTables, _ after: ProgramTables) {
    var index = 0
    while index < waitingCount {
      var position = firstWaiting + index
      if position >= waitingCapacity { position -= waitingCapacity }
      let slot = Int(waiting[position])
      // The switch itself needs room too.
      if !after.hasSlot(slot, of: before) && hasRoom(beyond: heldNotes + 1) {
        push(
          EngineCommand(
            .value, time: states[slot].time, slot: Int(states[slot].lastSlot),
            value: states[slot].value))
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
    states = tables.slotStates
    waiting = tables.waiting
    waitingCapacity = tables.slotCount
    firstWaiting = 0
    waitingCount = 0
    heldNotes = 0
    var slot = 0
    while slot < tables.slotCount {
      if states[slot].waits {
        wait(slot)
      } else if tables.slotIsNote[slot] && states[slot].isHeld {
        heldNotes += 1
      }
      slot += 1
    }
  }
}
