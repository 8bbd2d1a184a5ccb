import CSndfile

/// A sound file that is written block by block, and can be read at any time in between.
final class SoundFileWriter {
  private let file: OpaquePointer
  private let channels: Int

  /// Makes the file, replacing one that is there.
  ///
  /// - Throws: `EngineError` that names the file.
  init(_ path: String, _ format: RecordingFormat, rate: Int, channels: Int) throws(EngineError) {
    self.channels = channels
    var information = SF_INFO()
    information.samplerate = Int32(rate)
    information.channels = Int32(channels)
    information.format = try format.code(of: path)
    guard let opened = sf_open(path, Int32(SFM_WRITE), &information) else {
      let reason = String(cString: sf_strerror(nil)).trimmingSentence
      throw EngineError(
        .output, "\(path) cannot be recorded into: \(reason); check its folder and permissions.")
    }
    file = opened
    // Loud samples are cut: without this they would wrap around.
    sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
  }

  /// - Returns: nil, or why not all frames were written.
  func write(_ samples: UnsafePointer<Double>, frames: Int) -> String? {
    if sf_writef_double(file, samples, sf_count_t(frames)) == sf_count_t(frames) { return nil }
    return String(cString: sf_strerror(file)).trimmingSentence
  }

  /// Lets the header tell of what is there, and gives everything to the system: what follows may be lost.
  func secure() {
    sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    sf_write_sync(file)
  }

  func close() { sf_close(file) }
}

/// How samples lie in a sound file.
public enum RecordingFormat: Sendable, CaseIterable {
  case int16, int24, float32

  fileprivate func code(of path: String) throws(EngineError) -> Int32 {
    let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
    let samples: Int =
      switch self {
      case .int16: SF_FORMAT_PCM_16
      case .int24: SF_FORMAT_PCM_24
      case .float32: SF_FORMAT_FLOAT
      }
    switch ending.lowercased() {
    case "wav", "wave": return Int32(SF_FORMAT_WAV | samples)
    // FLAC has no floats.
    case "flac":
      return Int32(SF_FORMAT_FLAC | (self == .int16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24))
    case "ogg", "oga": return Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    case "aif", "aiff": return Int32(SF_FORMAT_AIFF | samples)
    default:
      throw EngineError(
        .output,
        "\(path): the type of the sound file is not known; end its name in .wav, .flac, .ogg or .aiff."
      )
    }
  }
}

extension String {
  /// Without the full stop and the blanks that libraries end their sentences with.
  fileprivate var trimmingSentence: String {
    var text = self[...]
    while let last = text.last, last == "." || last == " " || last == "\n" { text.removeLast() }
    return String(text)
  }
}
