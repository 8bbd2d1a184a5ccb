public import Events
import LinuxIO

/// Which device of which audio system.
public enum AudioAddress: Sendable, Equatable {
  /// A PCM device of ALSA: `default`, `hw:1,0`.
  case alsa(String)
  /// A place in JACK's graph.
  case jack(JACKAddress)

  /// The name of the device, for sentences.
  public var name: String {
    switch self {
    case .alsa(let name): name
    case .jack(let address): address.server.map { "JACK (\($0))" } ?? "JACK"
    }
  }

  /// The name of its system, for statistics.
  public var system: String {
    switch self {
    case .alsa: "alsa"
    case .jack: "jack"
    }
  }

  /// The beginning of a sentence about it.
  public var subject: String {
    switch self {
    case .alsa(let name): "The audio device \(name)"
    case .jack(let address): address.server.map { "The JACK server \($0)" } ?? "The JACK server"
    }
  }

  /// What makes its buffer longer, to stand in a sentence.
  public var longerBuffer: String {
    switch self {
    case .alsa: "a longer buffer (--latency 40ms)"
    case .jack: "a longer period of the JACK server (jackd -p, qjackctl)"
    }
  }

  /// What to do where it does not answer, to stand behind a semicolon.
  var silenceRemedy: String {
    switch self {
    case .alsa: "restart the sound server behind it, or choose a sound card (-odac:hw:0)"
    case .jack: "restart it, or play with --audio alsa"
    }
  }

  /// What else plays another rate than the device's, to stand behind a sentence; empty where there is nothing.
  public var resamplingHint: String {
    switch self {
    case .alsa(let name): " (plug:\(name) would resample)"
    case .jack: ""
    }
  }
}

/// An open audio device of whatever system.
///
/// CONTROL opens and closes it, and keeps it alive as long as PERFORM plays with its `backend`.
public final class AudioDevice: @unchecked Sendable {
  private enum Output {
    case alsa(ALSAOutput)
    case jack(JACKOutput)
  }

  public let address: AudioAddress
  public let format: AudioFormat
  /// What PERFORM waits for and writes to.
  public let backend: AudioBackend
  private let output: Output

  /// Opens a device as `init` does, on a thread of its own that is left alone when it takes too long.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for a sound server that does not answer.
  ///   - isCancelled: asked again and again whether the device is still wanted.
  /// - Throws: `AudioError` that names the device and says what to do; also when `isCancelled`.
  public static func open(
    _ address: AudioAddress, _ request: AudioRequest, patience: Nanoseconds = 5 * .perSecond,
    isCancelled: () -> Bool = { false }
  ) throws(AudioError) -> AudioDevice {
    try BackgroundOpening<AudioDevice>.open(
      subject: address.subject, remedy: address.silenceRemedy, patience: patience,
      isCancelled: isCancelled,
      { () throws(AudioError) in try AudioDevice(address, request) }, closing: { $0.close() })
  }

  /// Opens a device and negotiates; what was granted is in `format`, and may have another rate. May wait for ever for
  /// a sound server that has stopped.
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
    case .jack(let address):
      let opened = try JACKOutput(address, request)
      format = opened.format
      backend = AudioBackend(opened)
      output = .jack(opened)
    }
  }

  /// Opens a lost device as `init` does, and waits until it moves, a second at the most: a stalled one can be opened too.
  ///
  /// - Throws: `AudioError`, also where it stands still.
  public static func reopen(_ address: AudioAddress, _ request: AudioRequest) throws(AudioError)
    -> AudioDevice
  {
    let device = try AudioDevice(address, request)
    let isMoving =
      switch device.output {
      case .alsa(let output): output.isMoving()
      case .jack(let output): output.isMoving()
      }
    if isMoving { return device }
    device.close()
    throw AudioError("\(address.subject) stands still; \(address.silenceRemedy).")
  }

  /// Whether the device captures as well, by the same clock; else something else has to.
  public var isDuplex: Bool {
    switch output {
    case .alsa(let output): output.isDuplex
    case .jack: true
    }
  }

  /// What the device has that its format does not say: the channels of its capture side, 0 for none.
  public var captureChannels: Int {
    switch output {
    case .alsa(let output): output.captureChannels
    case .jack: format.inputChannels
    }
  }

  /// Closes the capture side alone, when PERFORM has said that it is lost.
  public func closeCapture() {
    switch output {
    case .alsa(let output): output.closeCapture()
    case .jack: break
    }
  }

  /// Closes the device; CONTROL only, when nobody performs with it any more. A second call does nothing.
  public func close() {
    switch output {
    case .alsa(let output): output.close()
    case .jack(let output): output.close()
    }
  }

  /// The name under which the sound is found in its system: a PCM device, a client of JACK.
  public var name: String {
    switch output {
    case .alsa: address.name
    case .jack(let output): output.name
    }
  }

  /// What the user should know of how it was opened.
  public var notices: [String] {
    switch output {
    case .alsa: []
    case .jack(let output): output.notices
    }
  }

  /// The priority that PERFORM should have beside the threads of its sound server, or nil where that is all the same.
  public var realtimePriority: Int32? {
    switch output {
    case .alsa: nil
    case .jack(let output): output.realtimePriority
    }
  }

  /// Follows what the device tells of the way to the sound; CONTROL only, a few times a second.
  ///
  /// - Returns: what the user should know that is new.
  public func observe() -> [String] {
    switch output {
    case .alsa: []
    case .jack(let output): output.observe()
    }
  }
}
