import CLinux
import Glibc

/// A counting semaphore between two threads of this process, for code that may not lock (C: `sem_t`).
///
/// A handle: copies mean the same semaphore, and one of them calls `deallocate` when nobody uses it any more.
public struct Semaphore: BitwiseCopyable, @unchecked Sendable {
  private let memory: UnsafeMutablePointer<sem_t>

  /// Begins at 0.
  public init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: sem_t())
    sem_init(memory, 0, 0)
  }

  public func deallocate() {
    sem_destroy(memory)
    memory.deallocate()
  }

  /// Adds one and wakes who waits; never waits itself.
  @_noLocks
  public func signal() {
    RealtimeCalls.post(memory)
  }

  /// Waits until it is above 0 and takes one, until `deadline` on CLOCK_MONOTONIC at most.
  ///
  /// - Returns: false when the deadline passed.
  @_noLocks
  public func wait(until deadline: Int64) -> Bool {
    RealtimeCalls.wait(for: memory, until: max(deadline, 0))
  }
}
