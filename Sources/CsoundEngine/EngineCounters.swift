import Events
import Synchronization

/// What PERFORM counts and anyone may read.
///
/// Behind a pointer, because PERFORM may not count references.
struct EngineCounters: ~Copyable, Sendable {
  let cycles = Atomic<Int>(0)
  let xruns = Atomic<Int>(0)
  let lastXrunTime = Atomic<Int64>(.none)
  let lastXrunLength = Atomic<Int64>(0)
  let deviceOrigin = Atomic<Int64>(0)
  let deviceLosses = Atomic<Int>(0)
  /// Frames per period of the backend that plays.
  let period = Atomic<Int>(0)
  let captureGaps = Atomic<Int>(0)
  let late = Atomic<Int>(0)
  let dropped = Atomic<Int>(0)
  let refused = Atomic<Int>(0)
  let heldNotes = Atomic<Int>(0)
  let worstCycle = Atomic<Int64>(0)
  let worstCycleTime = Atomic<Int64>(.none)
  /// Share of real time, in millionths.
  let load = Atomic<Int>(0)
  let latency = Atomic<Int64>(0)
  let latencyFrames = Atomic<Int>(0)
  /// What `latency` is made of.
  let bufferLatency = Atomic<Int64>(0)
  let cycleLatency = Atomic<Int64>(0)
  let deviceLatency = Atomic<Int64>(0)
  /// Below 0 where nothing is captured.
  let captureLatency = Atomic<Int64>(-1)
  let margin = Atomic<Int64>(0)
  /// The generation of the patch that plays.
  let generation = Atomic<Int>(0)
  /// The newest generation whose names are looked up.
  let prepared = Atomic<Int>(0)

}

extension Atomic where Value == Int {
  /// Adds one; for counters with one writer, PERFORM.
  @_noLocks
  func add() { store(load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
}

/// Something that PERFORM noticed and CONTROL puts into words.
struct EngineReport: BitwiseCopyable, Sendable {
  enum Kind: UInt8, Sendable {
    case xrun, deviceLost, deviceReturned, captureLost, captureReturned, periodChanged,
      unknownInstrument, wrongChannel, notFinite, missingPatch
  }

  var kind: Kind
  var generation: Int
  var slot: Int
  var time: Nanoseconds
  var length: Nanoseconds

  @_noLocks
  init(
    kind: Kind, generation: Int = 0, slot: Int = 0, time: Nanoseconds = 0, length: Nanoseconds = 0
  ) {
    self.kind = kind
    self.generation = generation
    self.slot = slot
    self.time = time
    self.length = length
  }
}

/// Applied commands, kept for measurements; PERFORM writes, anyone reads what is complete.
final class AccountBuffer: @unchecked Sendable {
  private let capacity: Int
  private let storage: UnsafeMutablePointer<AppliedCommand>
  private let count = Atomic<Int>(0)

  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocateResident(capacity: max(capacity, 1))
  }

  deinit { storage.deallocate() }

  @_noLocks
  func append(_ command: AppliedCommand) {
    let position = count.load(ordering: .relaxed)
    if position >= capacity { return }
    (storage + position).initialize(to: command)
    count.store(position &+ 1, ordering: .releasing)
  }

  var commands: [AppliedCommand] {
    Array(UnsafeBufferPointer(start: storage, count: count.load(ordering: .acquiring)))
  }
}
