import Audio
import Events

/// What a live run does with its sound, from the command line's wishes and the CSD's.
struct AudioPlan: Equatable {
  /// The device that plays, or nil for the timer.
  var device: AudioAddress?
  /// Whether Csound hands its blocks over (`-odac`); else it writes them itself (`-o FILE`) or nobody wants them (`-n`).
  var takesOutput: Bool
  /// Whether Csound wants to hear a device (`-iadc`); a file (`-i FILE`) it reads itself.
  var takesInput: Bool
  /// The device that captures, or nil for the one that plays.
  var inputDevice: String?
  /// Whether a device is wanted to capture from though none plays (`-n -iadc`, `-o FILE -iadc`).
  var capturesAlone = false
  /// What the user should know of a module that Sonde does not use.
  var notice: String?
  /// What buffer to ask for.
  var buffers: BufferPlan

  /// - Parameters:
  ///   - namesBuffers: whether the user's own options name `-b` or `-B`.
  ///   - jackClient: the name for `-+jack_client=`, or nil for the usual one.
  /// - Throws: `EngineError` for a file that cannot be written.
  init(
    _ configuration: EngineConfiguration, _ wishes: CsoundInstance.AudioWishes, isSilent: Bool,
    namesBuffers: Bool = false, jackClient: String? = nil, name: String
  ) throws(EngineError) {
    let dac = AudioPlan.device(of: wishes.output, prefix: "dac")
    let adc = AudioPlan.device(of: wishes.input, prefix: "adc")
    takesInput = adc != nil
    let writesFile = wishes.output != nil && dac == nil
    if writesFile, let path = wishes.output { try OutputFile.check(path) }
    takesOutput = !writesFile && !isSilent
    buffers = BufferPlan(configuration, wishes, namesBuffers: namesBuffers)
    let module = try AudioModule(wishes.module, place: name)
    if !takesOutput {
      // The sound of a file needs no device, and what is heard does; of ALSA's, unless others are named.
      capturesAlone =
        takesInput && configuration.output != .none && module != .null && module != .jack
      if capturesAlone { nameInput(adc) }
      return
    }
    switch configuration.output {
    case .none: return
    case .alsa(let wanted): takeALSA(wanted ?? dac, adc)
    case .jack(let server): takeJACK(server, jackClient, dac, adc, latency: configuration.latency)
    case .automatic:
      switch module {
      case .null: return
      case .jack: takeJACK(nil, jackClient, dac, adc, latency: configuration.latency)
      case .alsa: takeALSA(dac, adc)
      case .other:
        notice = module.notice(device: dac.flatMap { $0.isEmpty ? nil : $0 })
        takeALSA(nil, nil)
      }
    }
  }

  private mutating func takeALSA(_ output: String?, _ input: String?) {
    device = .alsa(AudioPlan.pcmName(output) ?? "default")
    nameInput(input)
  }

  private mutating func nameInput(_ input: String?) { inputDevice = AudioPlan.pcmName(input) }

  // A number is a card.
  private static func pcmName(_ words: String?) -> String? {
    guard let words, !words.isEmpty else { return nil }
    return Int(words).map { "plughw:\($0)" } ?? words
  }

  private mutating func takeJACK(
    _ server: String?, _ client: String?, _ output: String?, _ input: String?,
    latency: Nanoseconds?
  ) {
    device = .jack(
      JACKAddress(client: client ?? "sonde", ports: JACKPorts(words: output), server: server))
    inputDevice = input.flatMap { $0.isEmpty ? nil : $0 }
    buffers.leaveToServer(latency)
  }

  /// The device of ALSA's that captures, if the one that plays does not do so itself.
  var captureName: String? {
    if !takesInput { return nil }
    if case .alsa(let name)? = device { return inputDevice ?? name }
    return capturesAlone ? inputDevice ?? "default" : nil
  }

  // `dac:hw:1` → `hw:1`, `dac3` → `3`, `dac` → "" for the default; nil for a file.
  private static func device(of option: String?, prefix: String) -> String? {
    guard var name = option else { return nil }
    if name.hasPrefix("devaudio") {
      name = String(name.dropFirst(8))
    } else if name.hasPrefix(prefix) {
      name = String(name.dropFirst(3))
    } else {
      return nil
    }
    if name.hasPrefix(":") { return String(name.dropFirst()) }
    if name.isEmpty { return "" }
    if Int(name) != nil { return name }
    // A file that happens to be called dac-something or adc-something.
    return nil
  }
}
