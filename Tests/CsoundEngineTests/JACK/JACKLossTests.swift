import Glibc
import LabSupport
import LinuxIO
import Testing

extension JACKSuites {
  /// If one of these fails, a JACK server that goes away takes the music with it.
  @Suite struct JACKLossTests {
    /// A server that ends or dies, again and again: each time the music goes on without sound, and is heard again
    /// when the server is back, and nothing is left behind.
    @Test(arguments: [SIGTERM, SIGKILL])
    func aServerGoesAndReturns(signal: Int32) throws {
      let player = try JACKPlayer("loss")
      var server = try JACKServer(name: player.server)
      try player.start()
      _ = try player.hear()
      let rounds = Repetition.count(of: 50)
      var holdings: [ChildProcess.Holdings] = []
      var worstLoad = 0.0
      for round in 1...rounds {
        server.signal(signal)
        #expect(server.waitForEnd())
        #expect(player.waitForSentences("is gone", count: round))
        let (time, work) = (monotonicNow(), player.processorTime)
        pause(seconds: 0.5)
        let load = (player.processorTime - work) * 1e9 / Double(monotonicNow() - time)
        worstLoad = max(worstLoad, load)
        server = try JACKServer(name: player.server)
        #expect(player.waitForSentences("is back", count: round))
        // It was not started again, nor did it stand still: its frames are where the clock is.
        let (before, after) = (player.lastHeard, try player.hear())
        let frames = (after.frame - before.frame + GraphRamp.length) % GraphRamp.length
        let played = Double(frames) / 48000
        let passed = Double(after.time - before.time) / 1e9
        #expect(abs(played - passed) < 0.5, "\(played) s were played in \(passed) s")
        holdings.append(try #require(player.holdings))
      }
      let (first, last) = (holdings[0], holdings[rounds - 1])
      #expect(worstLoad < 0.5)
      #expect(last.threads <= first.threads && last.files <= first.files)
      #expect(last.memory < first.memory + 4096)
      print(
        "\(rounds) rounds with signal \(signal): \(player.sentences("is gone")) losses and "
          + "\(player.sentences("is back")) returns said; processor while away at most \(worstLoad); "
          + "\(first) → \(last); the ramp went on, frame \(player.lastHeard.frame)"
      )
      try player.stop(losses: rounds)
      server.stop()
    }

    /// A server that stands still is a lost one, and one that goes on is back.
    @Test func aStoppedServerIsGivenUpAndTakenBack() throws {
      let player = try JACKPlayer("stall")
      let server = try JACKServer(name: player.server)
      try player.start()
      _ = try player.hear()
      server.signal(SIGSTOP)
      #expect(player.waitForSentences("is gone", count: 1))
      pause(seconds: 3)
      server.signal(SIGCONT)
      #expect(player.waitForSentences("is back", count: 1))
      _ = try player.hear()
      try player.stop(losses: 1)
      server.stop()
    }

    /// The end of the music does not wait for a server that stands still.
    @Test func aStoppedServerDoesNotHoldTheEndUp() throws {
      let player = try JACKPlayer("end")
      let server = try JACKServer(name: player.server)
      try player.start()
      _ = try player.hear()
      server.signal(SIGSTOP)
      let time = monotonicNow()
      try player.stop(losses: nil)
      let length = Double(monotonicNow() - time) / 1e9
      #expect(length < 2.5, "it took \(length) s")
      server.signal(SIGCONT)
      server.stop()
    }

    /// Nobody has to wait for a server that stands still before the music begins, either.
    @Test func aStoppedServerDoesNotHoldTheStartUp() throws {
      let player = try JACKPlayer("start")
      let server = try JACKServer(name: player.server)
      server.signal(SIGSTOP)
      try player.start()
      pause(seconds: 1)
      // Nothing plays yet, and nothing is wrong: to give the server up would be a failure with a sentence.
      #expect(player.sentences("") == 0)
      try player.interrupt()
      #expect(player.sentences("answer") == 0)
      server.signal(SIGCONT)
      server.stop()
    }

    @Test func aServerThatTheEnvironmentNamesIsSaidToBeMissing() throws {
      let player = try JACKPlayer("missing")
      try player.start()
      let name = player.server
      #expect(
        player.waitForSentences("no JACK server \(name), which the variable JACK_DEFAULT", count: 1)
      )
    }

    /// libjack waits for ever where it finds no room for its sockets, and its server does so with it.
    @Test func tooFewFilesAreSaidToBeTooFew() throws {
      let player = try JACKPlayer("files")
      let server = try JACKServer(name: player.server)
      try player.start(openFiles: 16)
      #expect(player.waitForSentences("this login allows 16; raise the limit", count: 1))
      server.stop()
    }

    /// A server that comes back with another period is followed; with another rate it is refused, once and in words.
    @Test func aServerComesBackWithOtherSettings() throws {
      let player = try JACKPlayer("settings")
      var server = try JACKServer(name: player.server)
      try player.start()
      _ = try player.hear()
      server.stop()
      #expect(player.waitForSentences("is gone", count: 1))
      server = try JACKServer(name: player.server, rate: 44100)
      #expect(
        player.waitForSentences("is back with 44100 Hz, and the music runs at 48000 Hz", count: 1))
      pause(seconds: 3)
      server.stop()
      server = try JACKServer(name: player.server, period: 512)
      #expect(player.waitForSentences("is back.", count: 1))
      _ = try player.hear()
      #expect(player.sentences("44100") == 1)
      #expect(try player.stop(losses: 1).contains("\"period\":512"))
      server.stop()
    }
  }
}

/// `sonde play` of a ramp into a private JACK server, as a program of its own.
private final class JACKPlayer {
  let server: String
  private let folder: TemporaryFolder
  private var program: ChildProcess?
  private(set) var lastHeard: (frame: Int, time: Int64) = (0, 0)

  init(_ name: String) throws {
    server = JACKServer.uniqueName(name)
    folder = try TemporaryFolder("sonde-test")
    try writeFile(
      folder.file("ramp.csd"), Array(csd(GraphRamp.instrument, channels: 1).utf8))
  }

  /// - Parameter openFiles: the limit for it.
  func start(openFiles: Int = 1024) throws {
    // What libjack has opened in this process, its children inherit.
    let script = """
      for file in /proc/$$/fd/*; do
        number=${file##*/}
        if [ $number -gt 2 ]; then eval "exec $number>&-"; fi
      done
      ulimit -n \(openFiles)
      exec "$0" "$@"
      """
    program = try ChildProcess(
      [
        "bash", "-c", script, SondeCommand.path, "play",
        folder.file("ramp.csd"), "--audio", "jack", "--quiet", "--stats",
        folder.file("stats.json"),
      ],
      environment: [
        "JACK_DEFAULT_SERVER": server, "XDG_RUNTIME_DIR": folder.path,
        "XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
      ])
    program?.closeInput()
  }

  func sentences(_ text: String) -> Int {
    program?.errors.lines.count { $0.contains(text) } ?? 0
  }

  /// Waits until a sentence was said so many times, and not more.
  func waitForSentences(_ text: String, count: Int) -> Bool {
    let isSaid: Bool? = wait(seconds: 15) { sentences(text) >= count ? true : nil }
    return isSaid == true && sentences(text) == count
  }

  /// Waits until it is heard.
  func hear() throws -> (frame: Int, time: Int64) {
    let found: (frame: Int, time: Int64)? = try wait(seconds: 15, interval: 0.05) {
      guard let ear = try GraphClient(server: server, seconds: 4) else { return nil }
      defer { ear.close() }
      if !ear.listen(to: "sonde:out_1") { return nil }
      return wait(seconds: 1) {
        GraphRamp.frame(of: ear.lastSample).map { ($0, monotonicNow()) }
      }
    }
    lastHeard = try #require(found, "nothing is heard: \(program?.errors.all ?? "")")
    return lastHeard
  }

  /// Seconds that it has spent on processors.
  var processorTime: Double { program?.processorTime ?? 0 }

  var holdings: ChildProcess.Holdings? { program?.holdings }

  func interrupt() throws {
    let program = try #require(program)
    program.signal(SIGINT)
    #expect(program.waitForEnd(seconds: 10) == .exited(0))
  }

  /// Ends it as Ctrl-C does; its statistics.
  ///
  /// - Parameter losses: how often it must have lost its server, or nil for any number.
  @discardableResult
  func stop(losses: Int?) throws -> String {
    try interrupt()
    let statistics = TextFiles.read(folder.file("stats.json")) ?? ""
    if let losses { #expect(statistics.contains("\"deviceLosses\":\(losses)}")) }
    return statistics
  }
}
