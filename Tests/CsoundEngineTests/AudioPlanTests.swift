import Audio
import Events
import Testing

@testable import CsoundEngine

/// If one of these fails, the sound goes elsewhere than the CSD or the command line says.
@Suite struct AudioPlanTests {
  private func plan(
    _ output: AudioOutput, module: String?, dac: String? = "dac", adc: String? = nil,
    client: String? = nil, latency: Nanoseconds? = nil
  ) throws -> AudioPlan {
    var configuration = EngineConfiguration(.file("a.csd"))
    configuration.output = output
    configuration.latency = latency
    var wishes = CsoundInstance.AudioWishes()
    wishes.module = module
    wishes.output = dac
    wishes.input = adc
    wishes.buffer = 4096
    return try AudioPlan(
      configuration, wishes, isSilent: false, jackClient: client, name: "a.csd")
  }

  @Test func theModuleOfTheCSDDecidesWhereNothingElseDoes() throws {
    #expect(try plan(.automatic, module: "jack").device == .jack(JACKAddress()))
    #expect(try plan(.automatic, module: nil).device == .alsa("default"))
    #expect(try plan(.automatic, module: "null").device == nil)
    #expect(try plan(.alsa(device: nil), module: "jack").device == .alsa("default"))
    #expect(
      try plan(.jack(server: "studio"), module: "alsa").device
        == .jack(JACKAddress(server: "studio")))
  }

  /// `-odac` and `-iadc` speak of cards to ALSA, and of ports to JACK.
  @Test func namesMeanWhatTheSystemMeansByThem() throws {
    let alsa = try plan(.automatic, module: nil, dac: "dac3", adc: "adc:hw:1")
    #expect(alsa.device == .alsa("plughw:3"))
    #expect(alsa.inputDevice == "hw:1")
    let jack = try plan(
      .automatic, module: "jack", dac: "dac:synth:in_", adc: "adc2", client: "flute")
    #expect(jack.device == .jack(JACKAddress(client: "flute", ports: .matching("synth:in_"))))
    #expect(jack.inputDevice == "2")
    #expect(JACKPorts(words: jack.inputDevice) == .group(2))
    #expect(
      try plan(.automatic, module: "jack", dac: "dac:null").device
        == .jack(JACKAddress(ports: .none)))
  }

  /// The server's buffer is that of all its clients: nobody is told that the CSD asked for it.
  @Test func aServerIsNotAskedForABuffer() throws {
    #expect(try plan(.automatic, module: "jack").buffers.origin == .usual)
    let limited = try plan(.automatic, module: "jack", latency: 5_000_000).buffers
    #expect(limited.origin == .latency(5_000_000))
    #expect(limited.choices.count == 1)
  }
}
