import Audio
import Glibc
import LinuxIO

/// A JACK server without a sound card (its driver `dummy`), under a name that no other server has.
///
/// It ends with this object, or with its last client should this process be killed.
final class JACKServer {
  static let rate = 48_000
  /// That of the server's own thread; clients get 5 less (jackd(1), `--realtime-priority`).
  private static let priority = 10

  let library: JACKLibrary
  let period: Int
  private let program: BackgroundProgram
  private let client: JACKLibrary.Client
  private let log: String
  private let folder: TemporaryFolder

  /// Starts a server, which programs and libraries of this process take for the default one.
  ///
  /// - Throws: `BenchmarkFailure`.
  init(period: Int) throws {
    do throws(AudioError) { library = try JACKLibrary() } catch {
      throw BenchmarkFailure("\(error)")
    }
    library.silence()
    self.period = period
    folder = try TemporaryFolder("sonde-bench")
    log = folder.path + "/jackd.log"
    let name = JACKServer.name
    setenv("JACK_DEFAULT_SERVER", name, 1)
    setenv("JACK_NO_START_SERVER", "1", 1)
    let scheduling =
      JACKServer.isRealtime ? ["--realtime", "-P\(JACKServer.priority)"] : ["--no-realtime"]
    do throws(SystemError) {
      program = try BackgroundProgram(
        ["jackd", "--name", name] + scheduling
          + ["-d", "dummy", "-r", "\(JACKServer.rate)", "-p", "\(period)"], output: log)
    } catch {
      throw BenchmarkFailure("There is no JACK server: \(error); install jackd2.")
    }
    let limit = monotonicNow() + 10_000_000_000
    while true {
      if let client = library.openClient("sonde-bench").0 {
        self.client = client
        return
      }
      if program.hasEnded || monotonicNow() > limit {
        program.end()
        throw BenchmarkFailure("jackd does not start:\n\(JACKServer.text(log))")
      }
      sleepUntil(monotonicNow() + 20_000_000)
    }
  }

  deinit {
    _ = library.clientClose(client)
    program.end()
  }

  private static let name = "sonde-bench-\(getpid())"

  /// Removes what jackd2 leaves in shared memory when it ends before its clients.
  static func removeTraces() {
    let folder = "/dev/shm"
    for file in (try? folderContents(folder)) ?? [] where file.contains("_\(name)_") {
      try? removeFile("\(folder)/\(file)")
    }
  }

  /// What settles how the figures come out.
  static var settings: String {
    "jackd, driver dummy, \(rate) Hz, \(isRealtime ? "SCHED_FIFO \(priority)" : "not realtime")"
  }

  /// The time of one period.
  var periodTime: Int64 { Int64(period) * 1_000_000_000 / Int64(JACKServer.rate) }

  /// What a port is for, as seen by its program.
  enum PortUse { case audioOutput, midiInput }

  /// Waits for a port of another program than this one.
  ///
  /// - Throws: `BenchmarkFailure` when none comes in 10 s, or the program does not live any more.
  func waitForPort(_ use: PortUse, while isAlive: () -> Bool = { true }) throws -> String {
    let limit = monotonicNow() + 10_000_000_000
    while monotonicNow() < limit && isAlive() {
      let ports =
        switch use {
        case .audioOutput: library.ports(of: client, flags: JACKLibrary.portIsOutput)
        case .midiInput:
          library.ports(of: client, type: JACKLibrary.midiType, flags: JACKLibrary.portIsInput)
        }
      let found = ports.first { !$0.hasPrefix("system:") && !$0.hasPrefix("sonde-bench") }
      if let found { return found }
      sleepUntil(monotonicNow() + 1_000_000)
    }
    throw BenchmarkFailure("no port of it appears in JACK")
  }

  /// Whether threads of this user may be realtime ones.
  static let isRealtime: Bool = {
    guard let thread = try? RealtimeThread(name: "bench-probe", priority: 1, body: Nothing()) else {
      return false
    }
    thread.join()
    return thread.scheduling == .realtime(priority: 1, by: .limits)
  }()

  private final class Nothing: ThreadBody {
    func run() {}
  }

  private static func text(_ path: String) -> String {
    (try? readFile(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
