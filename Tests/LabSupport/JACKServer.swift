import Glibc

/// A private JACK server without hardware (`jackd -d dummy`).
///
/// libjack has one server in a process: suites with one are serialised, and close their clients before the next starts.
public final class JACKServer {
  /// Its name, for `jack_client_open` and `JACK_DEFAULT_SERVER`.
  public let name: String
  private let program: ChildProcess

  /// Starts it, and waits until it takes clients.
  ///
  /// - Parameter physicalPorts: of each direction, `system:playback_1`… and `system:capture_1`…
  /// - Throws: `SystemCallError` when there is no jackd, or when it does not come up in ten seconds.
  public init(name: String, rate: Int = 48000, period: Int = 256, physicalPorts: Int = 2) throws {
    self.name = name
    // What a killed server of this name left would look like a running one.
    let socket = "/dev/shm/jack_\(name)_\(getuid())_0"
    unlink(socket)
    let ports = String(physicalPorts)
    let program = try ChildProcess([
      "jackd", "-n", name, "-d", "dummy", "-r", String(rate), "-p", String(period), "-C", ports,
      "-P", ports,
    ])
    self.program = program
    program.closeInput()
    let isReady: Bool? = wait(seconds: 10) {
      program.poll() != nil ? false : Self.isListening(at: socket) ? true : nil
    }
    if isReady != true {
      throw SystemCallError(
        "jackd did not come up: \(program.output.all) \(program.errors.all)", code: EAGAIN)
    }
  }

  // The socket is there a moment before anybody can connect.
  private static func isListening(at socket: String) -> Bool {
    let lines = TextFiles.read("/proc/net/unix")?.split(separator: "\n") ?? []
    return lines.contains { line in
      let fields = line.split(separator: " ")
      // The fourth are the flags: SO_ACCEPTCON.
      return fields.count == 8 && fields[7] == socket && fields[3] == "00010000"
    }
  }

  /// A name that no other test program uses at the same time.
  public static func uniqueName(_ suffix: String) -> String { "sonde-\(getpid())-\(suffix)" }

  public func signal(_ number: Int32) { program.signal(number) }

  /// Waits for the end after a signal; false when it still runs after five seconds.
  public func waitForEnd() -> Bool { program.waitForEnd(seconds: 5) != nil }

  /// Ends it, killing it where it does not end in five seconds.
  public func stop() {
    program.signal(SIGCONT)
    program.signal(SIGTERM)
    if waitForEnd() { return }
    program.signal(SIGKILL)
    _ = waitForEnd()
  }

  deinit { stop() }
}
