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
  precondition(!arguments.isEmpty, "A program needs a name")
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  // Opened, not closed: some programs spin for ever on an output that nobody takes.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
  words.append(nil)
  defer { for word in words { free(word) } }

  let start = monotonicNow()
  var child: pid_t = 0
  let code = posix_spawnp(&child, arguments[0], &actions, nil, words, environ)
  if code != 0 {
    throw SystemError(ErrorNumber(rawValue: code), call: "posix_spawnp", path: arguments[0])
  }
  var status: Int32 = 0
  var usage = rusage()
  while wait4(child, &status, 0, &usage) < 0 {
    if errno != EINTR { throw .last("wait4", arguments[0]) }
  }
  let wallTime = monotonicNow() - start
  // WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros.
  let signal = status & 0x7F
  return ProgramRun(
    ending: signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal),
    wallTime: wallTime,
    processorTime: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime))
}
