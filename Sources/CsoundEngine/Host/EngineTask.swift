import Events
import LinuxIO
import Synchronization

/// Something that PERFORM does for another thread between two k-cycles.
final class EngineTask: @unchecked Sendable {
  private enum State: UInt8, AtomicRepresentable { case waiting, done, refused }

  private let body: (CsoundInstance) -> Void
  private let state = Atomic<State>(.waiting)
  private let ended = Semaphore()
  // Set when PERFORM does not touch this object any more.
  private let isLetGo = Atomic<Bool>(false)

  init(_ body: @escaping (CsoundInstance) -> Void) { self.body = body }

  deinit { ended.deallocate() }

  /// PERFORM only, once.
  func run(_ instance: CsoundInstance) {
    body(instance)
    finish(.done)
  }

  /// The run ended first. PERFORM only, once.
  func refuse() { finish(.refused) }

  private func finish(_ new: State) {
    state.store(new, ordering: .releasing)
    ended.signal()
    isLetGo.store(true, ordering: .releasing)
  }

  /// Waits until it was done; false when the run ended first. One thread, once, and never PERFORM.
  func wait() -> Bool {
    while !ended.wait(until: monotonicNow() + .perSecond) {}
    return state.load(ordering: .acquiring) == .done
  }

  /// Whether it may be freed as far as PERFORM is concerned.
  var isOver: Bool { isLetGo.load(ordering: .acquiring) }
}

/// The tasks on their way to PERFORM: any thread posts, PERFORM takes.
///
/// Posting threads wait for each other, never PERFORM for them.
final class EngineTasks: @unchecked Sendable {
  private static let capacity = 4096

  private struct Posted {
    // Oldest first; PERFORM reaches them uncounted.
    var tasks: [EngineTask] = []
    var isClosed = false
  }

  private let ring = SPSCRing<UnsafeRawPointer>(capacity: EngineTasks.capacity)
  private let posted = Mutex(Posted())

  enum Refusal { case ended, full }

  /// Hands a task over; nil when it will be done or refused.
  func post(_ task: EngineTask) -> Refusal? {
    posted.withLock { posted in
      if posted.isClosed { return .ended }
      // They end in their order.
      let firstOpen = posted.tasks.firstIndex { !$0.isOver } ?? posted.tasks.count
      if firstOpen > 0 { posted.tasks.removeFirst(firstOpen) }
      if !ring.push(UnsafeRawPointer(Unmanaged.passUnretained(task).toOpaque())) { return .full }
      posted.tasks.append(task)
      return nil
    }
  }

  /// PERFORM: the oldest task, which lives until it was run or refused.
  func next() -> Unmanaged<EngineTask>? {
    guard let pointer = ring.pop() else { return nil }
    return .fromOpaque(pointer)
  }

  /// PERFORM, at the end of its run: nothing is taken any more.
  func close() {
    posted.withLock { $0.isClosed = true }
    while let task = next() { task._withUnsafeGuaranteedRef { $0.refuse() } }
  }
}
