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
    /// From a command to its sound when it started; a shorter one since then does not shorten the note.
    var latency: Nanoseconds
    /// Its end has come and is put off: it ends in the first k-cycle after its own that takes commands which are
    /// due later than this.
    var end = Nanoseconds.max
    var isEnding: Bool { @_noLocks get { end != .max } }
    var identity: UInt16
  }

  static var capacity: Int { @_noLocks get { 1024 } }
  // A power of two, so that p1 and −p1 are exact whatever the instrument's number.
  private static var identities: Int { @_noLocks get { 4096 } }

  private let notes: UnsafeMutablePointer<Note>
  private let used: UnsafeMutablePointer<Bool>
  private var nextIdentity = 1
  private(set) var count = 0
  /// How many of them are ending.
  private(set) var endingCount = 0

  init() {
    notes = .allocateResident(capacity: HeldNotes.capacity)
    used = .allocate(capacity: HeldNotes.identities)
    used.initialize(repeating: false, count: HeldNotes.identities)
  }

  /// Frees its memory; the last call.
  func deallocate() {
    notes.deallocate()
    used.deallocate()
  }

  subscript(index: Int) -> Note { @_noLocks get { notes[index] } }

  /// The index of the note that this slot holds with this key, or nil; one that is ending is let go already.
  @_noLocks
  func find(slot: UInt32, key: Double) -> Int? {
    let notes = notes
    for index in 0..<count
    where notes[index].slot == slot {
      if notes[index].key == key && !notes[index].isEnding { return index }
    }
    return nil
  }

  /// Adds a note and returns its p1, or nil when too many are held.
  @_noLocks
  mutating func add(
    slot: UInt32, key: Double, instrument: Double, cycle: Int64, shift: Nanoseconds,
    latency: Nanoseconds
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
      latency: latency, identity: UInt16(truncatingIfNeeded: identity))
    count &+= 1
    return p1
  }

  @_noLocks
  mutating func end(_ index: Int, at time: Nanoseconds) {
    if !notes[index].isEnding { endingCount &+= 1 }
    notes[index].end = time
  }

  /// Removes a note; the last one takes its index.
  @_noLocks
  mutating func remove(_ index: Int) {
    used[Int(notes[index].identity)] = false
    if notes[index].isEnding { endingCount &-= 1 }
    count &-= 1
    notes[index] = notes[count]
  }
}
