/// A fixed-size list of control events that a driver fills and the INPUT thread empties.
///
/// Owned by one thread at a time; never allocates after `init`.
public final class EventBuffer {
  public let capacity: Int
  @usableFromInline let storage: UnsafeMutablePointer<ControlEvent>
  /// The number of events in it.
  public var count: Int { @_noLocks get { used } }
  private var used = 0

  public init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// The number of events that still fit.
  public var room: Int { @_noLocks get { capacity - used } }

  /// Adds `event`, and returns false, changing nothing, when the buffer is full.
  @_noLocks
  @discardableResult
  public func append(_ event: ControlEvent) -> Bool {
    if used == capacity { return false }
    (storage + used).initialize(to: event)
    used += 1
    return true
  }

  @_noLocks public func removeAll() { used = 0 }

  /// The event at `index`, which must be below `count`.
  @_noLocks
  public func event(at index: Int) -> ControlEvent {
    // A local, because the condition is a closure and may not capture `self` here.
    let end = used
    precondition(index >= 0 && index < end)
    return storage[index]
  }
}
