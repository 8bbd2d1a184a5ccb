import Audio

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
  /// What buffer to ask for.
  var buffers: BufferPlan

  /// - Parameter namesBuffers: whether the user's own options name `-b` or `-B`.
  /// - Throws: `EngineError` for what this version does not do.
  init(
    _ configuration: EngineConfiguration, _ wishes: CsoundInstance.AudioWishes, isSilent: Bool,
    namesBuffers: Bool = false, name: String
  ) throws(EngineError) {
    let dac = AudioPlan.device(of: wishes.output, prefix: "dac")
    let adc = AudioPlan.device(of: wishes.input, prefix: "adc")
    takesInput = adc != nil
    if let adc, !adc.isEmpty { inputDevice = adc }
    let writesFile = wishes.output != nil && dac == nil
    if writesFile, let path = wishes.output { try OutputFile.check(path) }
    takesOutput = !writesFile && !isSilent
    buffers = BufferPlan(configuration, wishes, namesBuffers: namesBuffers)
    if !takesOutput { return }
    switch configuration.output {
    case .none: return
    case .alsa(let wanted):
      device = .alsa(wanted ?? dac.flatMap { $0.isEmpty ? nil : $0 } ?? "default")
    case .automatic:
      switch wishes.module {
      case "null"?: return
      case "jack"?:
        throw EngineError(
          .audio,
          "\(name): JACK (-+rtaudio=jack) is not in this version; use -+rtaudio=alsa, or --audio alsa."
        )
      default: device = .alsa(dac.flatMap { $0.isEmpty ? nil : $0 } ?? "default")
      }
    }
  }

  // `dac:hw:1` → `hw:1`, `dac3` → card 3, `dac` → "" for the default; nil for a file.
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
    if let card = Int(name) { return "plughw:\(card)" }
    // A file that happens to be called dac-something or adc-something.
    return nil
  }
}
