import Glibc
import Testing

@testable import LinuxIO

/// If these fail, a start hangs on a message bus that is broken. That RealtimeKit itself grants priority is shown in the
/// virtual machine, where it runs.
@Suite(.timeLimit(.minutes(1))) struct RealtimeKitTests {
  private func ask(_ address: String, patience: Int64 = 20_000_000_000)
    -> RealtimeKitRequest.Answer?
  {
    RealtimeKitRequest(thread: 1, priority: 70, address: address).wait(patience)
  }

  @Test func aMissingBusIsNamed() {
    let expected = RealtimeKitRequest.Answer.refused("is not to be reached: there is no system bus")
    #expect(ask("unix:path=/nonexistent/bus") == expected)
    #expect(ask("no address") == expected)
  }

  /// Taken by the kernel, and never looked at.
  @Test(arguments: [0, 1, 4]) func aBusThatIsStuckIsGivenUp(waiting: Int) throws {
    let folder = try TemporaryFolder("sonde-test")
    let path = folder.file("bus")
    let listener = try unixSocket(path, isListening: true)
    defer { close(listener) }
    // Others who wait fill the queue, so that even to connect would wait for ever.
    var others: [Int32] = []
    for _ in 0..<waiting {
      if let other = try? unixSocket(path, isListening: false) { others.append(other) }
    }
    #expect(ask("unix:path=\(path)", patience: 300_000_000) == nil)
    for other in others { close(other) }
  }

  @Test func aBusWithoutRealtimeKitIsNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    let bus = try PrivateBus(in: folder)
    #expect(ask(bus.address) == .refused("is not installed"))
  }

  private func unixSocket(_ path: String, isListening: Bool) throws -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      for (index, byte) in path.utf8.enumerated() { room[index] = byte }
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return isListening
          ? bind(number, $0, size) + listen(number, 0) : connect(number, $0, size)
      }
    }
    if result != 0 {
      close(number)
      throw SystemError(.last, call: isListening ? "bind" : "connect", path: path)
    }
    return number
  }
}

/// A message bus of the test's own, with nobody on it.
private final class PrivateBus {
  let address: String
  private var child: pid_t = 0

  init(in folder: TemporaryFolder) throws {
    let socket = folder.file("bus")
    address = "unix:path=\(socket)"
    let settings = folder.file("bus.conf")
    try writeFile(
      settings,
      Array(
        """
        <busconfig>
          <listen>\(address)</listen>
          <policy context="default">
            <allow user="*"/><allow own="*"/>
            <allow send_destination="*"/><allow receive_sender="*"/>
          </policy>
        </busconfig>
        """.utf8))
    let arguments = ["dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(settings)"]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    let code = posix_spawnp(&child, "dbus-daemon", nil, nil, words, environ)
    if code != 0 {
      throw SystemError(
        ErrorNumber(rawValue: code), call: "posix_spawnp", path: "dbus-daemon")
    }
    let end = monotonicNow() + 20_000_000_000
    while !fileExists(socket) && monotonicNow() < end { sleepUntil(monotonicNow() + 5_000_000) }
  }

  deinit {
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
  }
}
