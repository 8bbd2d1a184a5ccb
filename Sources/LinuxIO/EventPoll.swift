import CLinux
import Glibc

/// What several descriptors are waited for with: epoll, in a form that realtime threads may use.
///
/// Every method belongs to the one thread that waits. Nothing is allocated after `init`.
public final class EventPoll {
  /// What a descriptor is ready for.
  public struct Readiness: OptionSet, BitwiseCopyable, Sendable {
    public let rawValue: UInt32
    @_noLocks public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var readable: Readiness { @_noLocks get { Readiness(rawValue: 0x001) } }
    public static var writable: Readiness { @_noLocks get { Readiness(rawValue: 0x004) } }
    public static var failed: Readiness { @_noLocks get { Readiness(rawValue: 0x008) } }
    /// The other side left: for a device node, it was unplugged.
    public static var hungUp: Readiness { @_noLocks get { Readiness(rawValue: 0x010) } }
  }

  /// One descriptor that is waited for.
  ///
  /// Its number is never used again, so that an event meant for a closed descriptor is not taken for its successor's.
  public struct Registration: BitwiseCopyable, Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
  }

  public struct Event: BitwiseCopyable, Sendable {
    public let registration: Registration
    /// What was given to `add`.
    public let tag: UInt64
    public let readiness: Readiness
  }

  private struct Slot: BitwiseCopyable {
    var descriptor: Int32 = -1
    var generation: UInt32 = 0
    var tag: UInt64 = 0
  }

  private let descriptor: Int32
  private let capacity: Int
  private let slots: UnsafeMutablePointer<Slot>
  private let pending: UnsafeMutablePointer<epoll_event>
  private var pendingCount = 0
  private var pendingNext = 0
  private static let batch = 64

  /// - Parameter capacity: the most descriptors at one time.
  /// - Throws: `SystemError` of `epoll_create1`.
  public init(capacity: Int = 256) throws(SystemError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { throw .last("epoll_create1") }
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    pending = .allocate(capacity: EventPoll.batch)
  }

  deinit {
    _ = close(descriptor)
    slots.deallocate()
    pending.deallocate()
  }

  /// Waits for `descriptor` from now on (level-triggered), until `remove`; remove it before closing it.
  ///
  /// - Throws: `ErrorNumber` of `epoll_ctl`, or `ENOSPC` when `capacity` descriptors are waited for.
  @_noLocks
  public func add(_ added: Int32, _ readiness: Readiness = .readable, tag: UInt64)
    throws(ErrorNumber) -> Registration
  {
    // Locals, because the right side of && is a closure and may not capture `self` here.
    let slots = slots
    let end = capacity
    var free = 0
    while free < end && slots[free].descriptor >= 0 { free += 1 }
    // ENOSPC on every architecture.
    if free == end { throw ErrorNumber(rawValue: 28) }
    let generation = slots[free].generation &+ 1
    let key = UInt64(generation) << 32 | UInt64(free)
    let refusal = RealtimeCalls.addToPoll(descriptor, added, readiness.rawValue, key: key)
    if refusal != 0 { throw ErrorNumber(rawValue: refusal) }
    slots[free] = Slot(descriptor: added, generation: generation, tag: tag)
    return Registration(slot: UInt32(truncatingIfNeeded: free), generation: generation)
  }

  /// Forgets a descriptor; events of it that were collected but not yet taken are dropped. Twice is fine.
  @_noLocks
  public func remove(_ registration: Registration) {
    let slots = slots
    let index = Int(registration.slot)
    let removed = slots[index].descriptor
    if slots[index].generation != registration.generation || removed < 0 { return }
    slots[index].descriptor = -1
    RealtimeCalls.removeFromPoll(descriptor, removed)
  }

  /// Waits until something is ready; then `next` gives it.
  ///
  /// - Parameter milliseconds: the most to wait; −1 waits for ever, 0 only looks.
  @_noLocks
  public func wait(milliseconds: Int32 = -1) {
    let count = RealtimeCalls.waitForPoll(
      descriptor, pending, Int32(EventPoll.batch), milliseconds: milliseconds)
    // Interrupted by a signal counts as nothing ready: the caller's loop comes again.
    pendingCount = count > 0 ? Int(count) : 0
    pendingNext = 0
  }

  /// The next of what the last `wait` found, or nil.
  @_noLocks
  public func next() -> Event? {
    let slots = slots
    while pendingNext < pendingCount {
      let key = pending[pendingNext].data.u64
      let readiness = pending[pendingNext].events
      pendingNext += 1
      let slot = Int(key & 0xFFFF_FFFF)
      let generation = UInt32(truncatingIfNeeded: key >> 32)
      if slots[slot].descriptor < 0 || slots[slot].generation != generation { continue }
      return Event(
        registration: Registration(
          slot: UInt32(truncatingIfNeeded: slot), generation: generation),
        tag: slots[slot].tag, readiness: Readiness(rawValue: readiness))
    }
    return nil
  }
}
