import CLinux
import Glibc

/// What a thread runs.
///
/// A class and not a closure: a closure written in main.swift belongs to the main actor, and traps on another thread.
public protocol ThreadBody: AnyObject, Sendable {
  /// The thread's whole life; it ends when this returns.
  func run()
}

/// A thread of the system with SCHED_FIFO where that is allowed, a name, and a stack that is in memory.
public final class RealtimeThread {
  /// What the system granted.
  public enum Scheduling: Equatable, Sendable {
    /// SCHED_FIFO with this priority.
    case realtime(priority: Int32)
    /// The ordinary scheduler, as asked for.
    case normal
    /// The ordinary scheduler, because SCHED_FIFO was refused (`EPERM`: see `ProcessLimits.realtimePriority`).
    case refused(ErrorNumber)
  }

  public let name: String
  public let scheduling: Scheduling
  private let thread: pthread_t
  private var isJoined = false

  /// Starts `body` on a new thread, which keeps it alive.
  ///
  /// - Parameters:
  ///   - name: what `top -H` shows; 15 bytes at most.
  ///   - priority: 1…99 asks for SCHED_FIFO, and falls back to the ordinary scheduler; nil does not ask.
  ///   - stackSize: bytes, all of them touched before `body` runs.
  /// - Throws: `SystemError` of `pthread_create` when there is no thread at all.
  public init(
    name: String, priority: Int32?, stackSize: Int = 512 << 10, body: any ThreadBody
  ) throws(SystemError) {
    self.name = name
    let size = max(stackSize, 128 << 10)
    let start = Unmanaged.passRetained(ThreadStart(name: name, stackSize: size, body: body))
    var created = pthread_t()
    var result: Int32 = 0
    var granted = Scheduling.normal
    if let priority {
      result = createThread(&created, size, priority, start.toOpaque())
      granted =
        result == 0 ? .realtime(priority: priority) : .refused(ErrorNumber(rawValue: result))
    }
    if priority == nil || result != 0 {
      result = createThread(&created, size, nil, start.toOpaque())
    }
    if result != 0 {
      start.release()
      throw SystemError(ErrorNumber(rawValue: result), call: "pthread_create")
    }
    thread = created
    scheduling = granted
  }

  deinit { assert(isJoined, "the thread \(name) was not joined") }

  /// Waits until `body` has returned. The owner's thread only; a second call does nothing.
  public func join() {
    if isJoined { return }
    isJoined = true
    pthread_join(thread, nil)
  }

  /// Nanoseconds that it has spent on a processor; 0 after `join`.
  public var processorTime: Int64 {
    var clock = clockid_t()
    var time = timespec()
    if isJoined || pthread_getcpuclockid(thread, &clock) != 0 { return 0 }
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private final class ThreadStart {
  let name: String
  let stackSize: Int
  let body: any ThreadBody

  init(name: String, stackSize: Int, body: any ThreadBody) {
    self.name = name
    self.stackSize = stackSize
    self.body = body
  }
}

private func createThread(
  _ thread: inout pthread_t, _ stackSize: Int, _ priority: Int32?,
  _ start: UnsafeMutableRawPointer
) -> Int32 {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stackSize)
  // Explicit both ways: without it a thread started by a realtime thread would be one too.
  pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
  pthread_attr_setschedpolicy(&attributes, priority == nil ? SCHED_OTHER : SCHED_FIFO)
  var parameters = sched_param(sched_priority: priority ?? 0)
  pthread_attr_setschedparam(&attributes, &parameters)
  return pthread_create(&thread, &attributes, runThread, start)
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<ThreadStart>.fromOpaque(argument!).takeRetainedValue()
  sonde_set_thread_name(start.name)
  // The C library keeps its own data at the far end of the stack.
  sonde_prefault_stack(start.stackSize - (96 << 10))
  start.body.run()
  return nil
}

/// Makes the calling thread treat denormal numbers as zero, as audio code wants.
///
/// Threads started from this one inherit it.
/// - Returns: what the thread had before, for `restoreDenormals`.
@_noLocks
@discardableResult
public func turnDenormalsOff() -> UInt64 { _unsafePerformance { sonde_denormals_off() } }

/// Gives the calling thread back what `turnDenormalsOff` found: for threads that are not Sonde's own.
@_noLocks
public func restoreDenormals(_ control: UInt64) {
  _unsafePerformance { sonde_restore_denormals(control) }
}
