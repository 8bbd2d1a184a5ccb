import Glibc
import Synchronization
import Testing

@testable import LinuxIO

/// If these fail, page faults of the threads that play go unseen, or are seen where there are none.
@Suite struct ThreadStatisticsTests {
  /// A line as proc(5) describes it: name in brackets, minor faults in field 10, major in 12, policy in 41.
  @Test func countsAreReadAsTheManualPageDescribesThem() throws {
    let before = "4711 (a) name) S 1 2 3 4 5 6 100 7 8 9"
    let rest = (14...52).map { $0 == 41 ? "2" : "\($0)" }.joined(separator: " ")
    let counts = try #require(
      ThreadCounts(
        stat: "\(before) \(rest)\n",
        status: "Name:\ta\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n"))
    #expect(counts.minorFaults == 100 && counts.majorFaults == 8)
    #expect(counts.waits == 12 && counts.preemptions == 3)
    #expect(counts.isRealtime)
    #expect(ThreadCounts(stat: "", status: "") == nil)
    #expect(ThreadCounts(stat: "1 (a) S 1", status: "") == nil)
  }

  @Test func theFirstSecondDoesNotCount() {
    var observation = ThreadObservation(start: 5_000_000_000)
    func look(_ time: Int64, _ faults: Int, isLast: Bool = false) {
      observation.look(at: time, isLast: isLast) {
        var counts = ThreadCounts(stat: "1 (a) S 1 1 1 1 1 1 0 0 0 0" + rest, status: "")
        counts?.minorFaults = faults
        return counts
      }
    }
    let rest = String(repeating: " 0", count: 39)
    look(5_100_000_000, 500)
    look(5_900_000_000, 600)
    #expect(observation.statistics.minorFaults == 0 && observation.statistics.time == 0)
    look(6_000_000_000, 1000)
    #expect(observation.statistics.minorFaults == 0)
    // Once a second is often enough.
    look(6_500_000_000, 1001)
    #expect(observation.statistics.minorFaults == 0)
    look(7_000_000_000, 1002)
    #expect(observation.statistics.minorFaults == 2)
    #expect(observation.statistics.time == 1_000_000_000)
    look(7_100_000_000, 1005, isLast: true)
    #expect(observation.statistics.minorFaults == 5)
    // A thread that has ended leaves what was seen last.
    observation.look(at: 9_000_000_000) { nil }
    #expect(observation.statistics.minorFaults == 5)
  }

  private final class Toucher: ThreadBody {
    let stage = Atomic<Int>(0)
    static let pages = 300

    func run() {
      while stage.load(ordering: .acquiring) == 0 { sleepUntil(monotonicNow() + 1_000_000) }
      let size = Toucher.pages * Int(sysconf(Int32(_SC_PAGESIZE)))
      let room = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
      // One page after the other, whatever the kernel thinks of huge ones.
      madvise(room, size, MADV_NOHUGEPAGE)
      for page in 0..<Toucher.pages {
        room.storeBytes(of: 1, toByteOffset: page * size / Toucher.pages, as: UInt8.self)
      }
      stage.store(2, ordering: .releasing)
      while stage.load(ordering: .acquiring) == 2 { sleepUntil(monotonicNow() + 1_000_000) }
      munmap(room, size)
    }
  }

  @Test func memoryThatIsTouchedForTheFirstTimeIsSeen() throws {
    let body = Toucher()
    let thread = try RealtimeThread(name: "toucher", priority: nil, body: body)
    // By times that the test gives, so that it need not wait for the warm-up.
    let start = monotonicNow()
    thread.observe(at: start + ThreadStatistics.warmUp)
    body.stage.store(1, ordering: .releasing)
    while body.stage.load(ordering: .acquiring) == 1 { sleepUntil(monotonicNow() + 1_000_000) }
    thread.observe(at: start + 2 * ThreadStatistics.warmUp)
    body.stage.store(3, ordering: .releasing)
    thread.join()
    #expect(thread.statistics.minorFaults >= Toucher.pages)
    #expect(thread.statistics.waits > 0)
    #expect(thread.statistics.scheduling == .normal && !thread.statistics.isRealtime)
  }
}
