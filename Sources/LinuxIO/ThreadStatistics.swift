/// How a thread is scheduled, and what kept it from its work since it has warmed up.
public struct ThreadStatistics: Sendable, Equatable {
  /// Its first second, in which it touches for the first time what it will use, does not count.
  public static let warmUp: Int64 = 1_000_000_000

  /// What it was granted.
  public var scheduling = RealtimeThread.Scheduling.normal
  /// Whether it was realtime when it was last looked at: RealtimeKit and its time limit can take that away.
  public var isRealtime = false
  /// Nanoseconds from the end of its warm-up to the last look; 0 where nothing was counted yet.
  public var time: Int64 = 0
  /// Page faults that needed no disk, and those that waited for one.
  public var minorFaults = 0
  public var majorFaults = 0
  /// How often it waited for something, and how often another thread took the processor from it.
  public var waits = 0
  public var preemptions = 0

  public init() {}
}

/// The kernel's counts of one thread, read by any other (/proc/self/task: see proc(5)).
///
/// So that to count costs the thread itself nothing.
struct ThreadCounts {
  var minorFaults = 0
  var majorFaults = 0
  var waits = 0
  var preemptions = 0
  var isRealtime = false

  /// Nil once the thread has ended.
  init?(thread: Int32) {
    guard let stat = try? readFile("/proc/self/task/\(thread)/stat"),
      let status = try? readFile("/proc/self/task/\(thread)/status")
    else { return nil }
    self.init(
      stat: String(decoding: stat, as: UTF8.self), status: String(decoding: status, as: UTF8.self))
  }

  init?(stat: String, status: String) {
    // The name, in brackets, may hold blanks and brackets; field 3 comes after it.
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[end...].dropFirst().split(separator: " ")
    func field(_ number: Int) -> Int? {
      fields.indices.contains(number - 3) ? Int(fields[number - 3]) : nil
    }
    guard let minor = field(10), let major = field(12), let policy = field(41) else { return nil }
    minorFaults = minor
    majorFaults = major
    // SCHED_FIFO is 1, SCHED_RR is 2.
    isRealtime = policy == 1 || policy == 2
    for line in status.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard parts.count == 2, let count = Int(parts[1].filter { $0.isNumber }) else { continue }
      switch parts[0] {
      case "voluntary_ctxt_switches": waits = count
      case "nonvoluntary_ctxt_switches": preemptions = count
      default: break
      }
    }
  }
}

/// Looks at a thread now and then, and counts from the end of its warm-up.
struct ThreadObservation {
  private static let interval: Int64 = 1_000_000_000

  private(set) var statistics = ThreadStatistics()
  private let start: Int64
  private var first: (time: Int64, counts: ThreadCounts)?
  private var next: Int64 = 0

  init(start: Int64) { self.start = start }

  /// - Parameter isLast: looks even if it has just looked.
  mutating func look(at now: Int64, isLast: Bool = false, counts: () -> ThreadCounts?) {
    if now < next && !isLast { return }
    guard let counts = counts() else { return }
    statistics.isRealtime = counts.isRealtime
    next = now + ThreadObservation.interval
    guard let first else {
      if now - start >= ThreadStatistics.warmUp {
        self.first = (now, counts)
      } else {
        next = min(next, start + ThreadStatistics.warmUp)
      }
      return
    }
    statistics.time = now - first.time
    statistics.minorFaults = counts.minorFaults - first.counts.minorFaults
    statistics.majorFaults = counts.majorFaults - first.counts.majorFaults
    statistics.waits = counts.waits - first.counts.waits
    statistics.preemptions = counts.preemptions - first.counts.preemptions
  }

  mutating func take(_ scheduling: RealtimeThread.Scheduling) {
    statistics.scheduling = scheduling
    if case .realtime = scheduling { statistics.isRealtime = true }
  }
}
