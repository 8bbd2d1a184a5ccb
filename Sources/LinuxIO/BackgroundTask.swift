import CLinux
import Glibc
import Synchronization

/// Something that runs on a thread of its own, because it may wait for ever: nobody has to wait with it.
///
/// The thread is an ordinary one, whoever starts it, and keeps `body` alive as long as it runs.
public final class BackgroundTask: Sendable {
  private let body: any ThreadBody
  private let hasEnded = Atomic<Bool>(false)

  private init(_ body: any ThreadBody) { self.body = body }

  /// Starts `body`.
  ///
  /// - Throws: `SystemError` of `pthread_create`.
  public static func start(_ body: any ThreadBody) throws(SystemError) -> BackgroundTask {
    let task = BackgroundTask(body)
    let argument = Unmanaged.passRetained(task)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // A realtime thread would hand its priority down.
    pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER)
    var parameters = sched_param(sched_priority: 0)
    pthread_attr_setschedparam(&attributes, &parameters)
    var thread = pthread_t()
    let result = pthread_create(&thread, &attributes, runTask, argument.toOpaque())
    if result != 0 {
      argument.release()
      throw SystemError(ErrorNumber(rawValue: result), call: "pthread_create")
    }
    return task
  }

  /// Whether `body` has returned.
  public var isFinished: Bool { hasEnded.load(ordering: .acquiring) }

  /// Waits until `body` has returned, so many nanoseconds at most; false when it still runs.
  public func wait(atMost patience: Int64) -> Bool {
    let deadline = monotonicNow() + patience
    while !isFinished {
      if monotonicNow() >= deadline { return false }
      sleepUntil(monotonicNow() + 1_000_000)
    }
    return true
  }

  fileprivate func run() {
    body.run()
    hasEnded.store(true, ordering: .releasing)
  }
}

private func runTask(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Unmanaged<BackgroundTask>.fromOpaque(argument!).takeRetainedValue().run()
  return nil
}
