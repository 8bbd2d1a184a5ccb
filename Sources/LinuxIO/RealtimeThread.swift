import CLinux
import Glibc
import Synchronization

/// What a thread runs.
///
/// A class and not a closure: a closure written in main.swift belongs to the main actor, and traps on another thread.
public protocol ThreadBody: AnyObject, Sendable {
  /// The thread's whole life; it ends when this returns.
  func run()
}

/// A thread of the system, realtime where that is allowed, with a name, and a stack that is in memory.
///
/// Its methods belong to one thread at a time, which is not the thread itself.
public final class RealtimeThread {
  /// Who allowed realtime priority.
  public enum Grantor: Equatable, Sendable {
    /// This login's limit (limits.conf), or root's right: SCHED_FIFO.
    case limits
    /// RealtimeKit: SCHED_RR by its default.
    case realtimeKit
  }

  /// What the system granted.
  public enum Scheduling: Equatable, Sendable {
    case realtime(priority: Int32, by: Grantor)
    /// The ordinary scheduler, as asked for.
    case normal
    /// The ordinary scheduler, because realtime priority was refused; the reason is a sentence.
    case refused(String)
  }

  public let name: String
  private let priority: Int32?
  private let thread: pthread_t
  private let number: ThreadNumber
  private var isJoined = false
  private var observation: ThreadObservation
  private var request: RealtimeKitRequest?
  private var limitRefusal = Scheduling.normal

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
    self.priority = priority
    number = ThreadNumber()
    observation = ThreadObservation(start: monotonicNow())
    let size = max(stackSize, 128 << 10)
    let start = Unmanaged.passRetained(
      ThreadStart(name: name, stackSize: size, number: number, body: body))
    var created = pthread_t()
    var result = EPERM
    var granted = Scheduling.normal
    if let priority {
      result = createThread(&created, size, priority, start.toOpaque())
      granted = .realtime(priority: priority, by: .limits)
      let limit = Int32(clamping: ProcessLimits.realtimePriority)
      if result == EPERM && limit > 0 {
        let less = realtimePriority(priority, of: limit)
        result = createThread(&created, size, less, start.toOpaque())
        granted = .realtime(priority: less, by: .limits)
      }
      if result == EPERM {
        granted = .refused("This login's limit for realtime priority is \(limit).")
      } else if result != 0 {
        granted = .refused("SCHED_FIFO was refused: \(ErrorNumber(rawValue: result)).")
      }
    }
    if result != 0 { result = createThread(&created, size, nil, start.toOpaque()) }
    if result != 0 {
      start.release()
      throw SystemError(ErrorNumber(rawValue: result), call: "pthread_create")
    }
    thread = created
    observation.take(granted)
  }

  /// What this system grants to a thread that asks for `priority`, found out by one that does nothing else.
  public static func trial(priority: Int32) -> Scheduling {
    guard let end = try? WakeUp(),
      let thread = try? RealtimeThread(
        name: "sonde-trial", priority: priority, body: Waiting(end))
    else { return .normal }
    thread.askRealtimeKit()
    end.signal()
    thread.join()
    return thread.scheduling
  }

  deinit { assert(isJoined, "the thread \(name) was not joined") }

  public var scheduling: Scheduling { observation.statistics.scheduling }

  /// Where realtime priority was refused, asks RealtimeKit for it; waits a second for that at the most, and takes a
  /// later answer with `observe`.
  ///
  /// A separate step, because from then on the thread must pause at least every 100 ms or so, or it is made
  /// ordinary: what takes longer, such as to compile an orchestra, comes before.
  public func askRealtimeKit() {
    guard let priority, !isJoined, request == nil, case .refused = scheduling else { return }
    let asked = RealtimeKitRequest(thread: number.wait(), priority: priority)
    request = asked
    limitRefusal = scheduling
    take(asked.wait(1_000_000_000) ?? .refused("does not answer"))
  }

  private func take(_ answer: RealtimeKitRequest.Answer) {
    switch answer {
    case .granted(let granted):
      observation.take(.realtime(priority: granted, by: .realtimeKit))
    case .refused(let text):
      guard case .refused(let reason) = limitRefusal else { return }
      observation.take(.refused("\(reason) RealtimeKit \(text)."))
    }
  }

  /// Brings `statistics` up to date, once a second; call it more often.
  public func observe(at now: Int64, isLast: Bool = false) {
    if isJoined { return }
    if case .refused = scheduling, let answer = request?.answer { take(answer) }
    observation.look(at: now, isLast: isLast) { ThreadCounts(thread: number.wait()) }
  }

  /// As of the last `observe`; stays after `join`.
  public var statistics: ThreadStatistics { observation.statistics }

  /// Waits until `body` has returned. The owner's thread only; a second call does nothing.
  public func join() {
    if isJoined { return }
    isJoined = true
    request?.cancel()
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

/// The place of `priority` among 1…99 in the smaller range 1…`most`, so that threads keep their order.
func realtimePriority(_ priority: Int32, of most: Int32) -> Int32 {
  priority <= most ? priority : max(priority * most / 99, 1)
}

/// Waits for its end.
private final class Waiting: ThreadBody {
  private let end: WakeUp

  init(_ end: WakeUp) { self.end = end }

  func run() {
    guard let poll = try? EventPoll(capacity: 1), (try? poll.add(end.descriptor, tag: 0)) != nil
    else { return }
    while poll.next() == nil { poll.wait() }
  }
}

/// The kernel's number of a thread (C: `gettid`), which only the thread itself can find out.
private final class ThreadNumber: Sendable {
  private let number = Atomic<Int32>(0)

  func set(_ found: Int32) { number.store(found, ordering: .releasing) }

  /// It is the first thing that the thread does.
  func wait() -> Int32 {
    while true {
      let found = number.load(ordering: .acquiring)
      if found != 0 { return found }
      sleepUntil(monotonicNow() + 100_000)
    }
  }
}

private final class ThreadStart {
  let name: String
  let stackSize: Int
  let number: ThreadNumber
  let body: any ThreadBody

  init(name: String, stackSize: Int, number: ThreadNumber, body: any ThreadBody) {
    self.name = name
    self.stackSize = stackSize
    self.number = number
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
  start.number.set(sonde_prepare_thread())
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
public func turnDenormalsOff() -> UInt64 { RealtimeCalls.denormalsOff() }

/// Gives the calling thread back what `turnDenormalsOff` found: for threads that are not Sonde's own.
@_noLocks
public func restoreDenormals(_ control: UInt64) {
  RealtimeCalls.restoreDenormals(control)
}
