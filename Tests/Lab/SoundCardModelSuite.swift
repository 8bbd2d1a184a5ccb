import Audio
import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// Cards that have only what they have: snd-dummy's models are made after real ones (sound/drivers/dummy.c).
  @Suite struct SoundCardModels {
    private struct Model {
      let name: String
      /// What it grants to an orchestra of 44.1 kHz, 2 channels out and 1 in.
      let rate: Int
      let channels: Int
      let captured: Int
    }

    private static let models = [
      Model(name: "ac97", rate: 48_000, channels: 2, captured: 2),
      Model(name: "uda1341", rate: 44_100, channels: 2, captured: 2),
      Model(name: "rme9652", rate: 44_100, channels: 26, captured: 26),
      Model(name: "ice1712", rate: 44_100, channels: 10, captured: 10),
    ]

    /// Loads the card as number 22.
    private func load(_ model: String) throws {
      let loading = try ChildProcess([
        "sh", "-c", "rmmod snd-dummy; modprobe snd-dummy index=22 hrtimer=1 model=\(model)",
      ])
      try #require(loading.waitForEnd(seconds: 20) == .exited(0), "\(loading.errors.all)")
      try #require(wait(seconds: 5) { SoundCardStatus(card: 22) == nil ? nil : () } != nil)
    }

    private func restore() {
      let loading = try? ChildProcess([
        "sh", "-c",
        "rmmod snd-dummy; modprobe snd-dummy index=\(SoundCardStatus.dummyCard) hrtimer=1",
      ])
      #expect(loading?.waitForEnd(seconds: 20) == .exited(0))
      #expect(
        wait(seconds: 5) { SoundCardStatus(card: SoundCardStatus.dummyCard) == nil ? nil : () }
          != nil)
    }

    @Test(arguments: 0..<4)
    func isPlayedAndHeardAsItIs(number: Int) throws {
      let model = Self.models[number]
      try load(model.name)
      defer { restore() }
      let device = try AudioDevice(
        .alsa("hw:22"),
        AudioRequest(rate: 44_100, channels: 2, period: 1024, periods: 4, inputChannels: 1))
      report("\(model.name): \(device.format), captures \(device.captureChannels)")
      #expect(device.format.rate == model.rate)
      #expect(device.format.deviceChannels == model.channels)
      #expect(device.isDuplex && device.captureChannels == model.captured)
      device.close()

      let engine = CsoundEngine(
        EngineConfiguration(
          .text(
            """
            <CsoundSynthesizer>
            <CsOptions>
            -odac:hw:22 -iadc -b1024 -B4096 -d
            </CsOptions>
            <CsInstruments>
            sr = 44100
            ksmps = 64
            nchnls = 2
            nchnls_i = 1
            0dbfs = 1
            alwayson "Hear"
            instr Hear
             aIn inch 1
             outs aIn, aIn
            endin
            </CsInstruments>
            </CsoundSynthesizer>

            """, name: "lab.csd", folder: "/tmp")))
      try engine.start()
      #expect(wait(seconds: 20) { engine.statistics.cycles > 700 ? () : nil } != nil)
      let statistics = engine.statistics
      let messages = engine.service().map(\.text)
      engine.stop()
      #expect(statistics.rate == model.rate && statistics.backend == "alsa")
      let ofRate = messages.filter { $0.contains("does not play 44100 Hz") }
      #expect(ofRate.count == (model.rate == 44_100 ? 0 : 1), "\(messages)")
      #expect(statistics.deviceLosses == 0)
    }
  }
}
