internal import Synchronization

/// What the runtime could not pass on because the engine did not keep up. Any thread may read it.
public final class RuntimeCounters: Sendable {
  private let replaced = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)

  init() {}

  /// Values that a newer one of the same channel replaced while they waited for room.
  public var replacedValues: Int { replaced.load(ordering: .relaxed) }
  /// Notes that did not start for want of room.
  public var droppedNotes: Int { dropped.load(ordering: .relaxed) }

  @_noLocks func countReplacedValue() { replaced.wrappingAdd(1, ordering: .relaxed) }
  @_noLocks func countDroppedNote() { dropped.wrappingAdd(1, ordering: .relaxed) }
}
