import CLinux
import Glibc

/// Where one of a program's standard streams leads.
public enum ProgramStream: Sendable, Equatable {
  /// /dev/null, and not a closed stream: some programs spin for ever on an output that nobody takes.
  case nothing
  /// A file that is made where there is none, and written at its end.
  case file(String)
  /// An open descriptor of this process, which stays the caller's.
  case descriptor(Int32)
}

/// Starts `arguments[0]`, looked up in PATH where it has no slash, and does not wait for it.
///
/// No signal is blocked or ignored in it, whatever holds for the calling thread.
/// - Parameters:
///   - environment: variables set besides those of this process.
///   - errors: nil for the same place as `output`.
/// - Returns: the number of its process, which somebody has to wait for.
/// - Throws: `SystemError` when it cannot be started.
public func startProgram(
  _ arguments: [String], environment: [(name: String, value: String)] = [],
  input: ProgramStream = .nothing, output: ProgramStream = .nothing, errors: ProgramStream? = nil
) throws(SystemError) -> Int32 {
  precondition(!arguments.isEmpty, "A program needs a name")
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  lead(STDIN_FILENO, to: input, flags: O_RDONLY, &actions)
  lead(STDOUT_FILENO, to: output, flags: O_WRONLY, &actions)
  lead(STDERR_FILENO, to: errors ?? .descriptor(STDOUT_FILENO), flags: O_WRONLY, &actions)
  // A thread that reads signals from a descriptor blocks them, and a child would inherit that.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
  words.append(nil)
  defer { for word in words { free(word) } }
  var variables = inheritedEnvironment(without: environment.map(\.name))
  variables += environment.map { strdup("\($0.name)=\($0.value)") }
  variables.append(nil)
  defer { for variable in variables { free(variable) } }

  var child: pid_t = 0
  let code = posix_spawnp(&child, arguments[0], &actions, &attributes, words, variables)
  if code != 0 {
    throw SystemError(ErrorNumber(rawValue: code), call: "posix_spawnp", path: arguments[0])
  }
  return child
}

private func lead(
  _ stream: Int32, to end: ProgramStream, flags: Int32, _ actions: inout posix_spawn_file_actions_t
) {
  switch end {
  case .nothing: posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", flags, 0)
  case .file(let path):
    posix_spawn_file_actions_addopen(&actions, stream, path, flags | O_CREAT | O_APPEND, 0o600)
  case .descriptor(let file): posix_spawn_file_actions_adddup2(&actions, file, stream)
  }
}

private func inheritedEnvironment(without names: [String]) -> [UnsafeMutablePointer<CChar>?] {
  var result: [UnsafeMutablePointer<CChar>?] = []
  var place = environ
  while let variable = place.pointee {
    let text = String(cString: variable)
    let name = text.prefix { $0 != "=" }
    if !names.contains(String(name)) { result.append(strdup(text)) }
    place += 1
  }
  return result
}

extension ProgramRun.Ending {
  /// What `waitpid` told (C: WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros).
  public init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }
}
