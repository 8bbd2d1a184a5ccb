import Events

/// The notes that the mapping holds, one instance of an instrument each.
struct HeldNotes {
  struct Note: BitwiseCopyable {
    var slot: UInt32
    var key: Double
    /// Instrument number plus a fraction that no other held note has.
    var p1: Double
    /// The k-cycle in which it started.
    var cycle: Int64
    /// How much too late it started: its end comes as much later, so that lateness never shortens a note.
    var shift: Nanoseconds
    /// Its end came in the k-cycle of its start; it ends with the next one.
    var endsNextCycle = false
    var identity: UInt16
  }

  static var capacity: Int { @_noLocks get { 1024 } }
  // A power of two, so that p1 and −p1 are exact whatever the instrument's number.
  private static var identities: Int { @_noLocks get { 4096 } }

  private let notes: UnsafeMutablePointer<Note>
  private let used: UnsafeMutablePointer<Bool>
  private var nextIdentity = 1
  private(set) var count = 0
  /// How many of them have `endsNextCycle`.
  private(set) var endingCount = 0

  init() {
    notes = .allocate(capacity: HeldNotes.capacity)
    used = .allocate(capacity: HeldNotes.identities)
    used.initialize(repeating: false, count: HeldNotes.identities)
  }

  /// Frees its memory; the last call.
  func deallocate() {
    notes.deallocate()
    used.deallocate()
  }

  subscript(index: Int) -> Note { @_noLocks get { notes[index] } }

  /// The index of the note that this slot holds with this key, or nil.
  @_noLocks
  func find(slot: UInt32, key: Double) -> Int? {
    let notes = notes
    for index in 0..<count
    where notes[index].slot == slot {
      if notes[index].key == key && !notes[index].endsNextCycle { return index }
    }
    return nil
  }

  /// Adds a note and returns its p1, or nil when too many are held.
  @_noLocks
  mutating func add(
    slot: UInt32, key: Double, instrument: Double, cycle: Int64, shift: Nanoseconds
  ) -> Double? {
    if count == HeldNotes.capacity { return nil }
    // An identity is used again as late as possible: the one before may still be fading.
    while used[nextIdentity] {
      nextIdentity = nextIdentity &+ 1 == HeldNotes.identities ? 1 : nextIdentity &+ 1
    }
    let identity = nextIdentity
    nextIdentity = nextIdentity &+ 1 == HeldNotes.identities ? 1 : nextIdentity &+ 1
    used[identity] = true
    let p1 = instrument + Double(identity) / 4096
    notes[count] = Note(
      slot: slot, key: key, p1: p1, cycle: cycle, shift: shift,
      identity: UInt16(truncatingIfNeeded: identity))
    count &+= 1
    return p1
  }

  @_noLocks
  mutating func endNextCycle(_ index: Int) {
    if notes[index].endsNextCycle { return }
    notes[index].endsNextCycle = true
    endingCount &+= 1
  }

  /// Removes a note; the last one takes its index.
  @_noLocks
  mutating func remove(_ index: Int) {
    used[Int(notes[index].identity)] = false
    if notes[index].endsNextCycle { endingCount &-= 1 }
    count &-= 1
    notes[index] = notes[count]
  }
}
