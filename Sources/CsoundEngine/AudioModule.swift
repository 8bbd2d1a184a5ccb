/// What `-+rtaudio=` means to Sonde, which plays through ALSA and JACK itself.
enum AudioModule: Equatable {
  case alsa
  case jack
  /// No device.
  case null
  /// A module of Csound's for another sound system; ALSA's `default` reaches what it would have reached.
  case other(String)

  // Those that Csound 6.18 brings on some system.
  private static let others: Set = [
    "pulse", "pa", "pa_bl", "pa_cb", "portaudio", "auhal", "coreaudio", "mme", "winmm", "wasapi",
    "haiku", "rtauhal", "rtpa", "rtpulse",
  ]

  /// - Parameters:
  ///   - name: as written, or nil where nobody names one.
  ///   - place: the CSD, for the error.
  /// - Throws: `EngineError` for a name that no Csound knows.
  init(_ name: String?, place: String) throws(EngineError) {
    switch name {
    case nil, "alsa", "rtalsa": self = .alsa
    case "jack", "rtjack": self = .jack
    case "null": self = .null
    case .some(let name) where AudioModule.others.contains(name): self = .other(name)
    case .some(let name):
      throw EngineError(
        .option,
        "\(place): there is no audio module '\(name)' (-+rtaudio=); write alsa, jack or null, or leave it out."
      )
    }
  }

  /// What the user should know, or nil.
  ///
  /// - Parameter device: what `-odac:` names in the words of that system, or nil.
  func notice(device: String?) -> String? {
    guard case .other(let name) = self else { return nil }
    let unused = device.map { ", and the device \($0) is not looked for there" } ?? ""
    return
      "-+rtaudio=\(name): Sonde plays through ALSA and JACK itself, so it opens ALSA's device default instead\(unused); write -+rtaudio=alsa to say so."
  }
}
