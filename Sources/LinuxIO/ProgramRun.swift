import CLinux
import Glibc

/// How a program ended that was run to its end, and the time that it took.
public struct ProgramRun: Sendable, Hashable {
  public enum Ending: Sendable, Hashable {
    case exited(status: Int32)
    case killed(signal: Int32)
  }

  public var ending: Ending
  /// Nanoseconds from before its start to its end.
  public var wallTime: Int64
  /// Nanoseconds that all of its threads spent on processors, in the program and in the kernel.
  public var processorTime: Int64
}

/// Runs `arguments[0]`, looked up in PATH where it has no slash, and waits for its end.
///
/// It has nothing to read, and what it writes is lost: its three standard streams are /dev/null.
/// - Throws: `SystemError` when it cannot be started.
public func runProgram(_ arguments: [String]) throws(SystemError) -> ProgramRun {
  let start = monotonicNow()
  let child = try startProgram(arguments)
  var status: Int32 = 0
  var usage = rusage()
  while wait4(child, &status, 0, &usage) < 0 {
    if errno != EINTR { throw .last("wait4", arguments[0]) }
  }
  let wallTime = monotonicNow() - start
  return ProgramRun(
    ending: ProgramRun.Ending(waitStatus: status),
    wallTime: wallTime,
    processorTime: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime))
}
