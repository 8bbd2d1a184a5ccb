import Audio
import CsoundEngine
import LabSupport
import Testing

extension Lab {
  /// Who asks for a latency must get it from a real driver, and be told the truth of it.
  @Suite struct Latency {
    /// The buffer that the driver says it has, in frames.
    private func grantedBuffer() -> Int? {
      let path = "/proc/asound/card\(SoundCardStatus.dummyCard)/pcm0p/sub0/hw_params"
      let line = TextFiles.read(path)?.split(separator: "\n").first {
        $0.hasPrefix("buffer_size: ")
      }
      return line.flatMap { Int($0.dropFirst("buffer_size: ".count)) }
    }

    @Test(arguments: [3, 5, 10, 20])
    func theCardGetsTheLongestBufferWithinTheLatency(milliseconds: Int) throws {
      // The CSD's own buffer must not win.
      let csd = LabOrchestra.csd(
        "instr 1\nendin", options: "-odac:hw:\(SoundCardStatus.dummyCard) -b1024 -B4096 -d")
      var configuration = EngineConfiguration(.text(csd, name: "lab.csd", folder: "/tmp"))
      configuration.latency = Int64(milliseconds) * 1_000_000
      let engine = CsoundEngine(configuration)
      try engine.start()
      let buffer = grantedBuffer()
      let statistics = engine.statistics
      engine.stop()
      #expect(statistics.period * statistics.periods == buffer)
      let frames = try #require(buffer)
      // At 48 kHz, beside a margin of a k-cycle of 32 frames: 144, 240, 480 and 960 frames in all.
      #expect(frames + 32 <= milliseconds * 48)
      #expect(frames >= (milliseconds * 48 - 32) * 3 / 4 - 32)
      report(
        "latency of \(milliseconds) ms asked for: buffer of \(frames) frames, \(statistics.latencyParts.sentence)"
      )
    }

    @Test func doctorTellsWhatTheDefaultDeviceGives() throws {
      // ALSA's default is a card of its choice; this names the one that there is.
      let doctor = try SondeCommand.start(
        "doctor", environment: ["ALSA_CARD": "\(SoundCardStatus.dummyCard)"])
      let line = try #require(
        doctor.output.waitForLine(seconds: 60) { $0.contains("  Latency: ") })
      // The usual buffer of 2×256 frames and a k-cycle: 10.7 ms and 0.7 ms.
      #expect(line.text.contains("alsa default"))
      #expect(line.text.contains("buffer 10.7 ms"))
      #expect(line.text.contains("margin 0.7 ms"))
    }
  }
}
