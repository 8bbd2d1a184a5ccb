import Audio
import Events
import LabSupport
import LinuxIO
import Synchronization
import Testing

@testable import CsoundEngine

extension JACKSuites {
  /// If one of these fails, what returns after a loss is closed again while it plays, or its latency is a riddle.
  @Suite struct DeviceReturnTests {
    /// Both sides of a device were gone, and it is back with both: its own capture is left alone, and nothing else is
    /// opened beside it.
    @Test func aDeviceThatCapturesIsBackWithBothSides() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("both"))
      let live = LiveRun(EngineConfiguration(.file("a.csd")), SPSCRing(capacity: 16))
      var recovery = CaptureRecovery()
      live.facts.withLock { $0.captureName = "null" }
      _ = recovery.sentence(for: EngineReport(kind: .captureLost, time: 0), live)

      let request = AudioRequest(rate: 48000, channels: 2, inputChannels: 2)
      let device = try AudioDevice(.jack(JACKAddress(server: server.name)), request)
      live.facts.withLock {
        $0.device = device
        $0.captureFormat = device.format
      }
      recovery.retryAtOnce()
      recovery.reopen(live)
      #expect(live.facts.withLock { $0.capture == nil })
      // What was missing is there again; and only what was missing.
      let back = EngineReport(kind: .deviceReturned, time: monotonicNow())
      #expect(
        recovery.sentence(for: back, live)
          == "The capture device null is there, and is heard from now on.")
      #expect(recovery.sentence(for: back, live) == nil)
      device.close()
      server.stop()
    }

    /// The way from JACK's ports to the sound counts as much as the buffer, or a latency that is not kept is not told.
    @Test func theWayToTheSoundCountsAgainstTheLatencyAskedFor() throws {
      // jackd's dummy has twice its period of 5.3 ms between the ports and the sound.
      let server = try JACKServer(name: JACKServer.uniqueName("way"), period: 256)
      var given = JACKSuites.configuration(csd("instr 1\nendin"), server: server.name)
      given.latency = 10_000_000
      let engine = CsoundEngine(given)
      try engine.start()
      var said: [String] = []
      #expect(JACKSuites.eventually(engine, &said) { engine.statistics.cycles > 100 })
      #expect(
        said.contains { $0.hasPrefix("The latency is 16.7 ms, more than the 10 ms asked for") },
        "\(said)")
      engine.stop()
      server.stop()
    }
  }
}
