import Glibc
import Synchronization

/// A program run beside the test: its lines as they come, signals, and the user that it runs as.
///
/// A thread for each stream keeps the pipes empty, so the child never waits for the test.
public final class ChildProcess: Sendable {
  /// Whom the program runs as.
  public enum User: Sendable {
    case same
    /// `nobody`, with these groups besides its own; needs root.
    case nobody(groups: [String])
  }

  public enum Ending: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// What the program has written to one stream so far.
  public final class Output: Sendable {
    private let text = Mutex<(bytes: [UInt8], isAtEnd: Bool)>(([], false))

    func append(_ bytes: ArraySlice<UInt8>) { text.withLock { $0.bytes += bytes } }
    func end() { text.withLock { $0.isAtEnd = true } }

    /// Whether the program has closed the stream.
    public var isAtEnd: Bool { text.withLock { $0.isAtEnd } }
    public var all: String { text.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
    /// The lines so far; an unfinished last line only once the stream has ended.
    public var lines: [String] {
      let (bytes, isAtEnd) = text.withLock { $0 }
      var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      if let last = lines.last, last.isEmpty || !isAtEnd { lines.removeLast() }
      return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits for a line that `condition` holds for, from line number `first` on.
    ///
    /// - Returns: The line and its number, or nil when none came in `seconds` or before the end.
    public func waitForLine(
      seconds: Double, from first: Int = 0, where condition: (String) -> Bool
    ) -> (number: Int, text: String)? {
      let found: (number: Int, text: String)?? = wait(seconds: seconds) {
        let ended = isAtEnd
        let lines = lines
        if let number = lines.indices.dropFirst(first).first(where: { condition(lines[$0]) }) {
          return .some((number, lines[number]))
        }
        return ended ? .some(nil) : nil
      }
      return found ?? nil
    }
  }

  public let identifier: Int32
  public let output = Output()
  public let errors = Output()
  private let input: Mutex<Int32>
  private let ending = Mutex<Ending?>(nil)

  /// Starts `arguments[0]`, looked up in PATH where it has no slash.
  ///
  /// - Parameters:
  ///   - environment: variables set besides those of this process.
  ///   - folder: where it starts; nil for where this process is.
  /// - Throws: `SystemCallError`.
  public init(
    _ arguments: [String], environment: [String: String] = [:], user: User = .same,
    folder: String? = nil
  ) throws {
    var command = arguments
    if case .nobody(let groups) = user {
      // setpriv (util-linux) also takes root's capabilities away, which a bare setuid after a spawn cannot.
      let kept =
        groups.isEmpty ? ["--clear-groups"] : ["--groups=" + groups.joined(separator: ",")]
      command =
        ["setpriv", "--reuid=nobody", "--regid=nogroup"] + kept + ["--inh-caps=-all", "--"]
        + arguments
    }
    let place = folder.map { ["-C", $0] } ?? []
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    if !(place + variables).isEmpty { command = ["env"] + place + variables + command }
    let stdin = try Self.pipe()
    let stdout = try Self.pipe()
    let stderr = try Self.pipe()

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdin.read, 0)
    posix_spawn_file_actions_adddup2(&actions, stdout.write, 1)
    posix_spawn_file_actions_adddup2(&actions, stderr.write, 2)

    // Threads that run tests block every signal, and a child would inherit that.
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

    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, command[0], &actions, &attributes, words, environ)
    for end in [stdin.read, stdout.write, stderr.write] { close(end) }
    guard code == 0 else {
      for end in [stdin.write, stdout.read, stderr.read] { close(end) }
      throw SystemCallError("Cannot start \(command[0])", code: code)
    }
    identifier = child
    input = Mutex(stdin.write)
    for (end, stream) in [(stdout.read, output), (stderr.read, errors)] {
      let reader = try BackgroundThread {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = read(end, &bytes, bytes.count)
          if count < 0 && errno == EINTR { continue }
          if count <= 0 { break }
          stream.append(bytes[..<count])
        }
        stream.end()
        close(end)
      }
      // Not joined: a grandchild may keep the stream open for ever.
      reader.detach()
    }
  }

  deinit {
    if poll() == nil {
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
    closeInput()
  }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) { if poll() == nil { kill(identifier, number) } }

  /// Writes to the program's standard input.
  ///
  /// - Throws: `SystemCallError`.
  public func write(_ text: String) throws {
    try input.withLock { try writeAll(Array(text.utf8), to: $0, named: "the child's input") }
  }

  /// Ends the program's standard input.
  public func closeInput() {
    input.withLock { file in
      if file >= 0 { close(file) }
      file = -1
    }
  }

  /// How the program ended, or nil while it runs.
  public func poll() -> Ending? {
    ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
      // WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros.
      ending =
        status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
      return ending
    }
  }

  /// Waits for the program's end and for all of its output.
  ///
  /// - Returns: How it ended, or nil when it still runs after `seconds`.
  public func waitForEnd(seconds: Double) -> Ending? {
    wait(seconds: seconds) { output.isAtEnd && errors.isAtEnd ? poll() : nil }
  }

  /// The number of file descriptors that the program has open.
  public var openFileCount: Int { TextFiles.names(in: "/proc/\(identifier)/fd").count }

  /// The number of its threads.
  public var threadCount: Int { TextFiles.names(in: "/proc/\(identifier)/task").count }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemCallError("Cannot make a pipe") }
    // So that no other child inherits an end and keeps the stream open; adddup2 clears it for this one.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
