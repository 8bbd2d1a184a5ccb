import Events

/// Commands that wait for their time, in the order of their times, then of their arrival.
///
/// A circular buffer: input is nearly in order, so a new command moves past few others.
struct PendingCommands {
  struct Entry: BitwiseCopyable {
    var command: EngineCommand
    /// When it is meant to sound, before latency; never before a `switch` that came earlier in the stream.
    var due: Nanoseconds
  }

  private let mask: Int
  private let storage: UnsafeMutablePointer<Entry>
  private var head = 0
  private(set) var count = 0
  // The time of the last `switch` in the list: what came after it stays after it.
  private var barrier: Nanoseconds = .min
  private var latest: Nanoseconds = .min

  init(capacity: Int) {
    var size = 1
    while size < capacity { size *= 2 }
    mask = size - 1
    storage = .allocateResident(capacity: size)
  }

  /// Frees its memory; the last call.
  func deallocate() { storage.deallocate() }

  var isFull: Bool { @_noLocks get { count > mask } }

  /// The first command, if it is due before `limit`.
  @_noLocks
  func first(before limit: Nanoseconds) -> Entry? {
    if count == 0 { return nil }
    let entry = storage[head & mask]
    return entry.due < limit ? entry : nil
  }

  /// Removes the first command of a list that is not empty.
  @_noLocks
  mutating func removeFirst() {
    head &+= 1
    count &-= 1
    if count == 0 {
      barrier = .min
      latest = .min
    }
  }

  /// Adds a command to a list that is not full.
  @_noLocks
  mutating func insert(_ command: EngineCommand) {
    var due = command.time
    if due < barrier { due = barrier }
    switch command.kind {
    case .switch:
      // After everything that came before it in the stream.
      if due < latest { due = latest }
      barrier = due
    default: break
    }
    insert(Entry(command: command, due: due))
  }

  @_noLocks
  private mutating func insert(_ given: Entry) {
    var entry = given
    var position = head &+ count
    while position > head {
      let before = storage[(position &- 1) & mask]
      if before.due <= entry.due { break }
      // An end that overtook its start would leave the note sounding for ever.
      if PendingCommands.isSameNote(before.command, entry.command) {
        entry.due = before.due
        break
      }
      storage[position & mask] = before
      position &-= 1
    }
    storage[position & mask] = entry
    count &+= 1
    if entry.due > latest { latest = entry.due }
  }

  @_noLocks
  private static func isSameNote(_ first: EngineCommand, _ second: EngineCommand) -> Bool {
    isNote(first) && isNote(second) && first.slot == second.slot && first.key == second.key
  }

  @_noLocks
  private static func isNote(_ command: EngineCommand) -> Bool {
    switch command.kind {
    case .noteOn, .noteOff: true
    case .value, .switch, .panic: false
    }
  }
}
