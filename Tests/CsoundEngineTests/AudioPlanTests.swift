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

  /// What captures by itself when the device that plays does not, or when none plays.
  @Test func theDeviceThatCapturesIsKnown() throws {
    #expect(try plan(.automatic, module: nil).captureName == nil)
    #expect(try plan(.automatic, module: nil, dac: "dac:hw:2", adc: "adc").captureName == "hw:2")
    #expect(try plan(.automatic, module: nil, adc: "adc:hw:1").captureName == "hw:1")
    #expect(try plan(.automatic, module: nil, adc: "adc1").captureName == "plughw:1")
    #expect(try plan(.automatic, module: nil, adc: "voice.wav").captureName == nil)
    #expect(try plan(.none, module: nil, adc: "adc").captureName == nil)
    #expect(try plan(.automatic, module: "jack", adc: "adc").captureName == nil)
    let file = "/tmp/sonde-plan.wav"
    let toFile = try plan(.automatic, module: nil, dac: file, adc: "adc:hw:1")
    #expect(toFile.device == nil && !toFile.takesOutput && toFile.captureName == "hw:1")
    #expect(try plan(.automatic, module: nil, dac: file, adc: "adc").captureName == "default")
    #expect(try plan(.automatic, module: "null", dac: file, adc: "adc").captureName == nil)
  }

  /// A CSD written for another system plays all the same, and says once what it plays through.
  @Test(arguments: ["pulse", "pa_bl", "pa_cb", "portaudio", "auhal"])
  func modulesOfOtherSystemsBecomeALSAsDefault(module: String) throws {
    let other = try plan(.automatic, module: module, dac: "dac:alsa_output.pci", adc: "adc2")
    #expect(other.device == .alsa("default") && other.captureName == "default")
    #expect(other.notice?.contains(module) == true)
    #expect(other.notice?.contains("alsa_output.pci") == true)
    // The user has said so by himself.
    #expect(try plan(.alsa(device: nil), module: module).notice == nil)
  }

  @Test func aModuleThatNobodyKnowsIsRefusedWithThoseThatThereAre() {
    let error = #expect(throws: EngineError.self) { try plan(.automatic, module: "ajsa") }
    #expect(error?.message.hasPrefix("a.csd: ") == true)
    for word in ["ajsa", "alsa", "jack", "null"] {
      #expect(error?.message.contains(word) == true)
    }
  }

  /// A processor that wakes up for every frame does nothing else, at a priority above everything.
  @Test(arguments: [(1, nil), (nil, 1), (1, 1), (15, 30)] as [(Int?, Int?)])
  func veryShortPeriodsAreNotAskedFor(buffer: Int?, hardwareBuffer: Int?) throws {
    var wishes = CsoundInstance.AudioWishes()
    wishes.buffer = buffer
    wishes.hardwareBuffer = hardwareBuffer
    let plan = BufferPlan(EngineConfiguration(.file("a.csd")), wishes, namesBuffers: true)
    #expect(plan.choices == [BufferChoice(period: 16, periods: 2)])
    let format = AudioFormat(rate: 48_000, channels: 2, deviceChannels: 2, period: 16, periods: 2)
    let sentence = plan.differenceSentence(format, device: "")
    #expect(sentence?.hasPrefix("The buffer is 2×16 frames: ") == true)
  }

  /// The server's buffer is that of all its clients: nobody is told that the CSD asked for it.
  @Test func aServerIsNotAskedForABuffer() throws {
    #expect(try plan(.automatic, module: "jack").buffers.origin == .usual)
    let limited = try plan(.automatic, module: "jack", latency: 5_000_000).buffers
    #expect(limited.origin == .latency(5_000_000))
    #expect(limited.choices.count == 1)
    // Whether or not -b and -B are named as well.
    var configuration = EngineConfiguration(.file("a.csd"))
    configuration.latency = 2_000_000
    var wishes = CsoundInstance.AudioWishes()
    wishes.module = "jack"
    wishes.output = "dac"
    wishes.buffer = 64
    wishes.hardwareBuffer = 128
    let named = try AudioPlan(
      configuration, wishes, isSilent: false, namesBuffers: true, name: "a.csd"
    ).buffers
    #expect(named.origin == .latency(2_000_000))
    let format = AudioFormat(
      rate: 48_000, channels: 2, deviceChannels: 2, period: 256, periods: 1)
    let sentence = named.sentence(
      LatencyParts(format: format, ksmps: 32), format: format, ksmps: 32,
      address: .jack(JACKAddress()), asked: configuration.latency)
    #expect(sentence?.contains("more than the 2 ms asked for") == true)
  }
}
