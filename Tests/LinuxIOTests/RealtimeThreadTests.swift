import Glibc
import LinuxIO
import Synchronization
import Testing

/// Who loses one of these has no sound where SCHED_FIFO is refused, or an engine that never ends.
@Suite struct RealtimeThreadTests {
  private final class Recorder: ThreadBody {
    let name = Mutex("")
    let policy = Mutex<Int32>(-1)
    let time = Atomic<Int64>(0)

    func run() {
      if let text = try? readFile("/proc/thread-self/comm") {
        name.withLock { $0 = String(decoding: text, as: UTF8.self) }
      }
      var parameters = sched_param()
      var found: Int32 = 0
      pthread_getschedparam(pthread_self(), &found, &parameters)
      policy.withLock { $0 = found }
      let start = threadProcessorTime()
      while threadProcessorTime() < start + 1_000_000 {}
      time.store(threadProcessorTime(), ordering: .relaxed)
    }
  }

  @Test func itRunsUnderItsNameWithWhatWasGranted() throws {
    let body = Recorder()
    let thread = try RealtimeThread(name: "sonde-a-long-thread-name", priority: 10, body: body)
    thread.join()
    thread.join()
    #expect(body.name.withLock { $0 } == "sonde-a-long-th\n")
    let policy = body.policy.withLock { $0 }
    switch thread.scheduling {
    case .realtime(let priority):
      #expect(policy == SCHED_FIFO)
      #expect(priority == 10)
    case .refused(let number):
      #expect(policy == SCHED_OTHER)
      #expect(number == .notPermitted)
    case .normal: Issue.record("SCHED_FIFO was not asked for")
    }
    #expect(body.time.load(ordering: .relaxed) >= 1_000_000)
    #expect(thread.processorTime == 0)
  }

  @Test func anOrdinaryThreadStaysOrdinary() throws {
    let body = Recorder()
    let thread = try RealtimeThread(name: "plain", priority: nil, body: body)
    thread.join()
    #expect(thread.scheduling == .normal)
    #expect(body.policy.withLock { $0 } == SCHED_OTHER)
  }

  private final class Denormals: ThreadBody {
    let after = Mutex<(before: Double, after: Double, restored: Double)>((1, 1, 0))
    let tiny = Atomic<UInt64>(Double.leastNormalMagnitude.bitPattern)

    func run() {
      // Through an atomic, so that the product is not computed by the compiler.
      let before = Double(bitPattern: tiny.load(ordering: .sequentiallyConsistent)) / 2
      let control = turnDenormalsOff()
      let after = Double(bitPattern: tiny.load(ordering: .sequentiallyConsistent)) / 2
      restoreDenormals(control)
      let restored = Double(bitPattern: tiny.load(ordering: .sequentiallyConsistent)) / 2
      self.after.withLock { $0 = (before, after, restored) }
    }
  }

  @Test func denormalsBecomeZeroOnTheThreadThatAsks() throws {
    let body = Denormals()
    let thread = try RealtimeThread(name: "denormals", priority: nil, body: body)
    thread.join()
    let result = body.after.withLock { $0 }
    #expect(result.before > 0)
    #expect(result.after == 0)
    #expect(result.restored > 0)
    #expect(Double.leastNormalMagnitude / 2 > 0)
  }

  @Test func memoryIsLockedOnlyWithoutALimit() {
    // Not called here: it would lock the test process. The rule is in the limit.
    if let limit = ProcessLimits.lockedMemory { #expect(lockMemory() == .limited(bytes: limit)) }
    #expect(ProcessLimits.openFiles > 0)
    #expect(ProcessCounts.threads > 0)
    #expect(ProcessCounts.residentMemory > 1 << 20)
  }
}
