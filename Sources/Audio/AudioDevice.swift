/// Which device of which audio system.
public enum AudioAddress: Sendable, Equatable {
  /// A PCM device of ALSA: `default`, `hw:1,0`.
  case alsa(String)

  /// The name of the device, for sentences.
  public var name: String {
    switch self {
    case .alsa(let name): name
    }
  }

  /// The name of its system, for statistics.
  public var system: String {
    switch self {
    case .alsa: "alsa"
    }
  }
}

/// An open audio device of whatever system.
///
/// CONTROL opens and closes it, and keeps it alive as long as PERFORM plays with its `backend`.
public final class AudioDevice: @unchecked Sendable {
  private enum Output {
    case alsa(ALSAOutput)
  }

  public let address: AudioAddress
  public let format: AudioFormat
  /// What PERFORM waits for and writes to.
  public let backend: AudioBackend
  private let output: Output

  /// Opens a device and negotiates; what was granted is in `format`, and may have another rate.
  ///
  /// - Throws: `AudioError` that names the device and says what to do.
  public init(_ address: AudioAddress, _ request: AudioRequest) throws(AudioError) {
    self.address = address
    switch address {
    case .alsa(let name):
      let opened = try ALSAOutput(name, request)
      format = opened.format
      backend = AudioBackend(opened)
      output = .alsa(opened)
    }
  }

  /// Closes the device; CONTROL only, when nobody performs with it any more. A second call does nothing.
  public func close() {
    switch output {
    case .alsa(let output): output.close()
    }
  }
}
