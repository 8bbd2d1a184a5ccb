import CLinux
import Glibc
import Synchronization

/// A program that runs beside this one, such as a server that a measurement needs.
///
/// It ends with its owner: whoever lets go of it, or calls `endAll`, kills it.
public final class BackgroundProgram: Sendable {
  public let name: String
  /// The number of its process.
  public let identifier: Int32
  private let ending = Mutex<Ending?>(nil)

  private struct Ending {
    var result: ProgramRun.Ending
    var processorTime: Int64
  }

  /// Starts `arguments[0]`, looked up in PATH where it has no slash.
  ///
  /// It has nothing to read. What it writes goes to the file `output`, or is lost.
  /// - Parameter environment: variables set besides those of this process.
  /// - Throws: `SystemError` when it cannot be started.
  public init(
    _ arguments: [String], environment: [(name: String, value: String)] = [],
    output: String = "/dev/null"
  ) throws(SystemError) {
    precondition(!arguments.isEmpty, "A program needs a name")
    name = arguments[0]
    identifier = try alive.withLock { alive throws(SystemError) in
      let child = try startProgram(arguments, environment: environment, output: .file(output))
      alive.insert(child)
      return child
    }
  }

  deinit { end(within: 0) }

  /// Asks it to end (SIGTERM), and kills it when it has not ended after so many nanoseconds.
  ///
  /// - Returns: how it ended.
  @discardableResult
  public func end(within patience: Int64 = 2_000_000_000) -> ProgramRun.Ending {
    let limit = monotonicNow() + patience
    if patience > 0 && !hasEnded { kill(identifier, SIGTERM) }
    while !hasEnded {
      if monotonicNow() >= limit { kill(identifier, SIGKILL) }
      sleepUntil(monotonicNow() + 2_000_000)
    }
    return ending.withLock { $0?.result ?? .exited(status: 0) }
  }

  /// Whether it has ended, by itself or by `end`.
  public var hasEnded: Bool {
    ending.withLock { ending in
      if ending != nil { return true }
      var status: Int32 = 0
      var usage = rusage()
      let waited = alive.withLock { alive in
        let waited = wait4(identifier, &status, WNOHANG, &usage)
        if waited != 0 { alive.remove(identifier) }
        return waited
      }
      if waited == 0 { return false }
      ending = Ending(
        result: ProgramRun.Ending(waitStatus: status),
        processorTime: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime))
      return true
    }
  }

  /// Nanoseconds that its threads have spent on processors, to a hundredth of a second while it runs.
  public var processorTime: Int64 {
    if let ending = ending.withLock({ $0 }) { return ending.processorTime }
    guard let text = try? readFile("/proc/\(identifier)/stat") else { return 0 }
    // The name in parentheses may hold anything; utime and stime are the 12th and 13th field after it.
    guard let close = text.lastIndex(of: UInt8(ascii: ")")) else { return 0 }
    let fields = text[(close + 1)...].split(separator: UInt8(ascii: " "))
    if fields.count < 13 { return 0 }
    let ticks = fields[11...12].reduce(0) { $0 + (Int64(String(decoding: $1, as: UTF8.self)) ?? 0) }
    return ticks * 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The bytes of memory that it uses (resident set); 0 once it has ended.
  public var residentMemory: Int {
    hasEnded ? 0 : ProcessCounts.residentMemory(of: String(identifier))
  }

  /// Ends every program that still runs, within a second. For the end of this process by a signal.
  public static func endAll() {
    let limit = monotonicNow() + 1_000_000_000
    alive.withLock { alive in
      for identifier in alive { kill(identifier, SIGTERM) }
      while !alive.isEmpty && monotonicNow() < limit {
        alive = alive.filter { waitpid($0, nil, WNOHANG) == 0 }
        sleepUntil(monotonicNow() + 2_000_000)
      }
      for identifier in alive { kill(identifier, SIGKILL) }
    }
  }
}

/// The children that were not waited for. A number leaves it under the lock in which it is given back to the
/// system, so that no stranger who got it later is killed.
private let alive = Mutex<Set<Int32>>([])

func nanoseconds(_ time: timeval) -> Int64 {
  Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
}
