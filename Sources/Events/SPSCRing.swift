public import Synchronization

/// A bounded queue from one producer thread to one consumer thread, without locks or allocation.
///
/// A push into a full ring is refused and counted: the newest is dropped, never the order of what is in it.
public final class SPSCRing<Element: BitwiseCopyable>: @unchecked Sendable {
  @usableFromInline let mask: Int
  @usableFromInline let storage: UnsafeMutablePointer<Element>
  // Each thread writes one of these; the other only reads it.
  @usableFromInline let written = Atomic<Int>(0)
  @usableFromInline let taken = Atomic<Int>(0)
  @usableFromInline let dropped = Atomic<Int>(0)

  /// A ring that holds at least `capacity` elements (rounded up to a power of two).
  ///
  /// - Parameter isResident: whether all of it is in memory from the start. A producer without deadlines may as well
  ///   bring each page in with its first push: the consumer only comes to pages that were written.
  public init(capacity: Int, isResident: Bool = true) {
    var size = 1
    while size < capacity { size *= 2 }
    mask = size - 1
    storage = isResident ? .allocateResident(capacity: size) : .allocate(capacity: size)
  }

  deinit { storage.deallocate() }

  /// The number of elements that fit.
  @inlinable public var capacity: Int { mask + 1 }

  /// How many pushes were refused since the start. Any thread.
  @inlinable public var dropCount: Int { dropped.load(ordering: .relaxed) }

  /// The number of elements waiting. Exact for the consumer, a lower bound of the free room for the producer.
  @inlinable public var count: Int {
    written.load(ordering: .acquiring) - taken.load(ordering: .acquiring)
  }

  /// How many pushes will succeed at least. Producer thread only.
  @inlinable
  public func room() -> Int {
    capacity - (written.load(ordering: .relaxed) - taken.load(ordering: .acquiring))
  }

  /// Adds `element`, or counts it as dropped and returns false when the ring is full. Producer thread only.
  @inlinable
  @discardableResult
  public func push(_ element: Element) -> Bool {
    let position = written.load(ordering: .relaxed)
    if position - taken.load(ordering: .acquiring) > mask {
      dropped.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    (storage + (position & mask)).initialize(to: element)
    written.store(position + 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest element, or nil when the ring is empty. Consumer thread only.
  @inlinable
  public func pop() -> Element? {
    let position = taken.load(ordering: .relaxed)
    if position == written.load(ordering: .acquiring) { return nil }
    let element = storage[position & mask]
    taken.store(position + 1, ordering: .releasing)
    return element
  }
}
