import Glibc
import LinuxIO
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
    if let folder { command = ["env", "-C", folder] + command }
    let stdin = try Self.pipe()
    let stdout = try Self.pipe()
    let stderr = try Self.pipe()

    let started = Result { () throws(SystemError) in
      try startProgram(
        command, environment: environment.map { ($0.key, $0.value) },
        input: .descriptor(stdin.read), output: .descriptor(stdout.write),
        errors: .descriptor(stderr.write))
    }
    for end in [stdin.read, stdout.write, stderr.write] { close(end) }
    if case .failure(let error) = started {
      for end in [stdin.write, stdout.read, stderr.read] { close(end) }
      throw SystemCallError("Cannot start \(command[0])", code: error.number.rawValue)
    }
    identifier = try started.get()
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
      switch ProgramRun.Ending(waitStatus: status) {
      case .exited(let status): ending = .exited(status)
      case .killed(let signal): ending = .killed(signal: signal)
      }
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
