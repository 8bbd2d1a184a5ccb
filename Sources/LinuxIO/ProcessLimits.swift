import CLinux
import Glibc

/// What this user's login allows (C: `getrlimit`; limits.conf).
public enum ProcessLimits {
  /// The highest SCHED_FIFO priority without being root; 0 is none.
  public static var realtimePriority: UInt64 { sonde_limit_realtime_priority() }

  /// The bytes that may be locked in memory, or nil for as many as there are.
  public static var lockedMemory: UInt64? {
    let limit = sonde_limit_locked_memory()
    return limit == .max ? nil : limit
  }

  /// The number of descriptors that may be open at one time.
  public static var openFiles: UInt64 { sonde_limit_open_files() }
}

/// What became of `lockMemory`.
public enum MemoryLock: Equatable, Sendable {
  case locked
  /// Not tried: under a limit a later large allocation would fail.
  case limited(bytes: UInt64)
  case refused(ErrorNumber)
}

/// Keeps all memory of this process, now and later, out of the swap; only where no limit is set (C: `mlockall`).
public func lockMemory() -> MemoryLock {
  if let limit = ProcessLimits.lockedMemory { return .limited(bytes: limit) }
  return mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE)) == 0 ? .locked : .refused(.last)
}

/// Lets this process keep memory that it has freed, so that to allocate again costs no page fault, and keeps the kernel
/// from making huge pages of it meanwhile (C: `mallopt`, `PR_SET_THP_DISABLE`).
///
/// For a whole program, which calls it before its threads start.
public func keepMemorySteady() { sonde_keep_memory_steady() }

/// Puts so many bytes into memory for what the calling thread will allocate; of use after `keepMemorySteady`.
public func reserveMemory(bytes: Int) { sonde_reserve_memory(bytes) }

/// Puts the code and data of the program and its libraries into memory, so that their first use costs no page fault.
public func loadWholeProgram() { sonde_load_program() }

/// What this process holds now, from /proc/self.
public enum ProcessCounts {
  /// Open descriptors, without the one that looks.
  public static var openDescriptors: Int {
    ((try? folderContents("/proc/self/fd").count) ?? 1) - 1
  }

  /// Threads that live.
  public static var threads: Int { (try? folderContents("/proc/self/task").count) ?? 0 }

  /// The bytes of memory in use (resident set).
  public static var residentMemory: Int { residentMemory(of: "self") }

  /// The same of another process, by its number; 0 where there is none.
  static func residentMemory(of process: String) -> Int {
    guard let text = try? readFile("/proc/\(process)/statm") else { return 0 }
    let fields = text.split(separator: UInt8(ascii: " "))
    if fields.count < 2 { return 0 }
    return (Int(String(decoding: fields[1], as: UTF8.self)) ?? 0)
      * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
