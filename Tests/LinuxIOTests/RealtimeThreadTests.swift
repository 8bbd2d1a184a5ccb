import Glibc
import Synchronization
import Testing

@testable import LinuxIO

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
    case .realtime(let priority, let grantor):
      #expect(policy == SCHED_FIFO)
      #expect(priority == 10 && grantor == .limits)
    case .refused(let reason):
      #expect(policy == SCHED_OTHER)
      #expect(reason == "This login's limit for realtime priority is 0.")
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

  /// PERFORM before INPUT also where less is allowed than Sonde asks for.
  @Test func prioritiesKeepTheirOrderInASmallerRange() {
    #expect(realtimePriority(70, of: 99) == 70)
    // 70 · 20 / 99 = 14.1 and 60 · 20 / 99 = 12.1.
    #expect(realtimePriority(70, of: 20) == 14)
    #expect(realtimePriority(60, of: 20) == 12)
    #expect(realtimePriority(60, of: 1) == 1)
  }

  private final class DeepStack: ThreadBody {
    let faults = Mutex(-1)

    func run() {
      func count() -> Int {
        var usage = rusage()
        // RUSAGE_THREAD, which needs _GNU_SOURCE.
        getrusage(1, &usage)
        return usage.ru_minflt
      }
      _ = useStack(1)
      let before = count()
      _ = useStack(25)
      let after = count()
      faults.withLock { $0 = after - before }
    }

    // 4 KiB for each step, or two and three times as much where the compiler copies.
    @inline(never)
    private func useStack(_ steps: Int) -> Int {
      let page = InlineArray<512, Int>(repeating: steps)
      return page[steps] + (steps == 1 ? 0 : useStack(steps - 1))
    }
  }

  /// A stack that is touched for the first time while sound plays is a page fault, and a click.
  @Test func theStackIsInMemoryBeforeTheBodyRuns() throws {
    let body = DeepStack()
    let thread = try RealtimeThread(name: "deep", priority: nil, body: body)
    thread.join()
    // 100 KiB at least, of 512: without preparation 25 pages.
    #expect(body.faults.withLock { $0 } == 0)
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
