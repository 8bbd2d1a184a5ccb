import Audio
import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Testing

extension JACKSuites {
  /// If one of these fails, JACK users hear clicks, or nothing because the wrong ports are connected.
  @Suite struct JACKGraphTests {
    /// Frames come once each and in order, at the server's pace, whatever k-cycles and periods have to do with each
    /// other. Where something kept the server or PERFORM from their work, silence may come between, and nothing else.
    @Test(arguments: [(64, 32), (256, 100), (1024, 10)])
    func framesAreNeitherLostNorDoubled(period: Int, ksmps: Int) throws {
      let rate = JACKSuites.calmRate(period: period)
      let server = try JACKServer(
        name: JACKServer.uniqueName("frames"), rate: rate, period: period)
      let engine = CsoundEngine(
        JACKSuites.configuration(
          csd(GraphRamp.instrument, rate: rate, ksmps: ksmps, channels: 1), server: server.name))
      try engine.start()
      let ear = try #require(try GraphClient(server: server.name, rate: rate, period: period))
      #expect(ear.listen(to: "sonde:out_1"))
      var said: [String] = []
      #expect(JACKSuites.eventually(engine, &said) { ear.samples.count > 3 * rate })
      ear.close()
      engine.stop()
      server.stop()

      var last: Int?
      var whole = 0
      var broken = 0
      let samples = ear.samples
      let cycles = ear.cycles
      for (number, cycle) in cycles.enumerated() {
        // The server tells of an interruption up to two cycles after it.
        let isBroken = cycles[number..<min(number + 3, cycles.count)].contains { $0.isBroken }
        if isBroken { broken += 1 }
        for index in cycle.first..<cycle.first + cycle.count {
          guard let frame = GraphRamp.frame(of: samples[index]) else { continue }
          if let last {
            // A cycle that the server broke off may have been played and not heard, and whoever listens to a client that
            // was late hears the port's former buffer again.
            if isBroken ? frame <= last - period : frame != last + 1 {
              Issue.record("frame \(frame) after \(last)")
              return
            }
            whole += 1
          }
          last = frame
        }
      }
      #expect(whole > rate, "\(broken) cycles were broken")
      #expect(engine.statistics.backend == "jack")
    }

    @Test func portsAreConnectedAsAsked() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("ports"), physicalPorts: 4)
      let other = try #require(try GraphClient(server: server.name, name: "other"))
      func connections(
        _ options: [String], channels: Int = 2, client: String = "sonde"
      ) throws -> (connected: [[String]], said: [String]) {
        let engine = CsoundEngine(
          JACKSuites.configuration(
            csd("instr 1\nendin", channels: channels), server: server.name, options: options))
        try engine.start()
        defer { engine.stop() }
        var said: [String] = []
        #expect(JACKSuites.eventually(engine, &said) { engine.statistics.cycles > 0 })
        return (
          (1...channels).map { other.connections(of: "\(client):out_\($0)") }, said
        )
      }
      let physical = try connections([])
      #expect(physical.connected == [["system:playback_1"], ["system:playback_2"]])
      #expect(physical.said == [])
      // One channel is heard on both sides.
      #expect(
        try connections([], channels: 1).connected == [["system:playback_1", "system:playback_2"]])
      #expect(
        try connections(["-odac:playback_[34]"]).connected
          == [["system:playback_3"], ["system:playback_4"]])
      // The second group of ports that play: those of the other client.
      #expect(try connections(["-odac1"]).connected == [["other:in"], []])
      #expect(try connections(["-odac:null"]).connected == [[], []])
      #expect(
        try connections(["-+jack_client=flute"], client: "flute").connected == physical.connected)
      let unknown = try connections(["-odac:nowhere"])
      #expect(unknown.connected == [[], []])
      #expect(unknown.said.count == 1)
      #expect(
        unknown.said.first?.contains("-odac:nowhere") == true
          && unknown.said.first?.contains("system:playback_1") == true)
      other.close()
      server.stop()
    }

    /// The synthesiser that Sonde plays into is started after it, leaves, and returns.
    @Test func portsThatAppearLaterAreConnected() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("later"))
      let engine = CsoundEngine(
        JACKSuites.configuration(
          csd("instr 1\nendin"), server: server.name, options: ["-odac:synth:in"]))
      try engine.start()
      let watcher = try #require(try GraphClient(server: server.name, name: "watcher"))
      var said: [String] = []
      func connected(_ ports: [String]) -> Bool {
        JACKSuites.eventually(engine, &said) {
          watcher.connections(of: "sonde:out_1") == ports
        }
      }
      var synth = try #require(try GraphClient(server: server.name, name: "synth"))
      #expect(connected(["synth:in"]), "\(said)")
      #expect(watcher.connections(of: "sonde:out_2") == [])

      // By hand; and what else appears is no reason to connect it again.
      let undone = watcher.jack.disconnect(watcher.handle, "sonde:out_1", "synth:in")
      #expect(undone == 0)
      let other = try #require(try GraphClient(server: server.name, name: "other"))
      let second = try #require(try GraphClient(server: server.name, name: "synth:in2"))
      pause(engine, &said, seconds: 1)
      #expect(connected([]), "\(said)")

      synth.close()
      synth = try #require(try GraphClient(server: server.name, name: "synth"))
      #expect(connected(["synth:in"]), "\(said)")
      engine.stop()
      said += engine.service().filter { $0.kind == .notice }.map(\.text)
      #expect(
        said.count { $0 == "JACK has synth:in now, connected with sonde:out_1." } == 1, "\(said)")
      for client in [synth, second, other, watcher] { client.close() }
      server.stop()
    }

    /// Who asks for no connections has none made, whoever appears.
    @Test func noPortsStayNoPorts() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("none"))
      let engine = CsoundEngine(
        JACKSuites.configuration(
          csd("instr 1\nendin"), server: server.name, options: ["-odac:null"]))
      try engine.start()
      let other = try #require(try GraphClient(server: server.name, name: "other"))
      var said: [String] = []
      pause(engine, &said, seconds: 1)
      #expect(other.connections(of: "sonde:out_1") == [])
      #expect(!said.contains { $0.contains("JACK has") }, "\(said)")
      engine.stop()
      other.close()
      server.stop()
    }

    /// CONTROL's work goes on meanwhile.
    private func pause(_ engine: CsoundEngine, _ said: inout [String], seconds: Int64) {
      let end = monotonicNow() + seconds * .perSecond
      _ = JACKSuites.eventually(engine, &said) { monotonicNow() >= end }
    }

    /// What a microphone hears reaches the orchestra, frame for frame.
    @Test func capturedFramesReachTheOrchestra() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("capture"))
      let ear = try #require(try GraphClient(server: server.name))
      let engine = CsoundEngine(
        JACKSuites.configuration(
          csd("instr 1\nout in()\nendin\nschedule 1, 0, -1", ksmps: 32, channels: 1),
          server: server.name, options: ["-iadc:ear:out_1", "-odac:null"]))
      try engine.start()
      #expect(ear.connections(of: "sonde:in_1") == ["ear:out_1"])
      #expect(ear.listen(to: "sonde:out_1"))
      var said: [String] = []
      let first = ear.samples.count
      #expect(JACKSuites.eventually(engine, &said) { ear.samples.count > first + 48000 })
      ear.close()
      engine.stop()
      let frames = ear.samples.dropFirst(first).map { GraphRamp.frame(of: $0) }
      let steps = zip(frames, frames.dropFirst()).filter { before, after in
        before.flatMap { before in after.map { $0 == before + 1 } } ?? false
      }
      #expect(steps.count > 24000)
      server.stop()
    }

    @Test func aMissingServerIsSaidWithTheWayOut() throws {
      let engine = CsoundEngine(
        JACKSuites.configuration(
          csd("instr 1\nendin"), server: JACKServer.uniqueName("nobody")))
      let error = #expect(throws: EngineError.self) { try engine.start() }
      #expect(error?.description.contains("jackd") == true)
      #expect(error?.description.contains("--audio alsa") == true)
    }

    /// A server refuses such a name with the same words as if there were none.
    @Test func aNameThatIsTooLongIsSaidToBe() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("name"))
      func failure(_ length: Int) -> String? {
        let name = String(repeating: "a", count: length)
        let request = AudioRequest(rate: 48000, channels: 1)
        do throws(AudioError) {
          try AudioDevice(.jack(JACKAddress(client: name, server: server.name)), request).close()
          return nil
        } catch {
          return error.description
        }
      }
      #expect(failure(63) == nil)
      for length in [64, 200] {
        let said = failure(length)
        #expect(
          said?.contains("too long: \(length) bytes, and JACK takes 63") == true, "\(said ?? "")")
        #expect(said?.contains("-+jack_client=") == true)
      }
      server.stop()
    }

    /// The server's rate is the music's rate, and that is said.
    @Test func anotherRateIsTakenOver() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("rate"), rate: 44100)
      let engine = CsoundEngine(
        JACKSuites.configuration(csd("instr 1\nendin"), server: server.name))
      try engine.start()
      var said: [String] = []
      #expect(JACKSuites.eventually(engine, &said) { engine.statistics.cycles > 100 })
      #expect(engine.statistics.rate == 44100)
      #expect(said.count { $0.contains("44100") } == 1)
      engine.stop()
      server.stop()
    }
  }
}
