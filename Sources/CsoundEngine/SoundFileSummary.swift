import CSndfile

/// What a sound file holds, as libsndfile reads it: the proof that it was written whole.
public struct SoundFileSummary: Sendable, Equatable {
  /// Frames per second.
  public let rate: Int
  public let channels: Int
  public let frames: Int
  /// The largest sample, as a fraction of full scale.
  public let peak: Double

  /// Reads the whole file once.
  ///
  /// - Throws: `EngineError` when it is missing or no sound file.
  public init(_ path: String) throws(EngineError) {
    var information = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &information) else {
      let reason = String(cString: sf_strerror(nil))
      throw EngineError(.output, "\(path) cannot be read back: \(reason)")
    }
    defer { sf_close(file) }
    var peak = 0.0
    let size = Int32(MemoryLayout<Double>.size)
    if sf_command(file, Int32(SFC_CALC_NORM_SIGNAL_MAX), &peak, size) != 0 {
      throw EngineError(.output, "\(path) cannot be read back to its end.")
    }
    rate = Int(information.samplerate)
    channels = Int(information.channels)
    frames = Int(information.frames)
    self.peak = peak
  }

  /// The length in seconds.
  public var duration: Double { rate == 0 ? 0 : Double(frames) / Double(rate) }
}
