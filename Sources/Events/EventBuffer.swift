/// A fixed-size list of control events that a driver fills and the INPUT thread empties.
///
/// Owned by one thread at a time; never allocates after `init`.
public final class EventBuffer {
  public let capacity: Int
  @usableFromInline let storage: UnsafeMutablePointer<ControlEvent>
  // Behind a pointer, because other modules would check each access to a stored variable for exclusivity.
  @usableFromInline let used: UnsafeMutablePointer<Int>

  public init(capacity: Int) {
    self.capacity = capacity
    storage = .allocateResident(capacity: capacity)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
  }

  deinit {
    storage.deallocate()
    used.deallocate()
  }

  /// The number of events in it.
  @inlinable public var count: Int { @_noLocks get { used.pointee } }

  /// The number of events that still fit.
  @inlinable public var room: Int { @_noLocks get { capacity - used.pointee } }

  /// Adds `event`, and returns false, changing nothing, when the buffer is full.
  @inlinable
  @_noLocks
  @discardableResult
  public func append(_ event: ControlEvent) -> Bool {
    let position = used.pointee
    if position == capacity { return false }
    (storage + position).initialize(to: event)
    used.pointee = position + 1
    return true
  }

  @inlinable @_noLocks public func removeAll() { used.pointee = 0 }

  /// All of them, valid until the buffer changes or goes.
  @inlinable public var events: UnsafeBufferPointer<ControlEvent> {
    @_noLocks get { UnsafeBufferPointer(start: storage, count: used.pointee) }
  }

  /// Gives all events from `index` on another time, except undecoded ones.
  @_noLocks
  public func stamp(_ time: Nanoseconds, from index: Int) {
    var position = index
    while position < count {
      switch storage[position].kind {
      case .raw: break
      default: storage[position].time = time
      }
      position += 1
    }
  }

  /// The event at `index`, which must be below `count`.
  @inlinable
  @_noLocks
  public func event(at index: Int) -> ControlEvent {
    // A local, because the condition is a closure and may not capture `self` here.
    let end = used.pointee
    precondition(index >= 0 && index < end)
    return storage[index]
  }
}
