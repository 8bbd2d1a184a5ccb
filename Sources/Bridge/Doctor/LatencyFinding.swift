import Audio
import Events
import LinuxIO

/// From a gesture to its sound, as the default audio device would have it.
enum LatencyFinding {
  /// What a device said when it was opened and played silence for a moment.
  struct Trial: Sendable {
    var device: String
    var format: AudioFormat
    /// Frames behind the buffer.
    var addedFrames: Int
    /// What a sound from the microphone takes longer; nil where there is none.
    var capture: Nanoseconds? = nil
    /// Whether it asked for frames at all.
    var plays: Bool
  }

  // The k-cycle of the built-in instrument; that of a CSD is its own.
  private static let ksmps = 32

  /// Opens the default device for a quarter of a second. Do not call it on a realtime thread.
  ///
  /// - Throws: `AudioError` when it cannot be opened.
  static func tryDefaultDevice() throws(AudioError) -> Trial {
    let usual = BufferChoice.usual(rate: 48_000, ksmps: ksmps)
    let address = AudioAddress.alsa("default")
    let device = try AudioDevice.open(
      address,
      AudioRequest(
        rate: 48_000, channels: 2, period: usual.period, periods: usual.periods,
        inputChannels: 1))
    defer { device.close() }
    let samples = device.format.buffer * device.format.channels
    let silence = UnsafeMutablePointer<Double>.allocate(capacity: samples)
    silence.initialize(repeating: 0, count: samples)
    defer { silence.deallocate() }
    let heard = UnsafeMutablePointer<Double>.allocate(
      capacity: device.format.buffer * max(device.format.inputChannels, 1))
    defer { heard.deallocate() }
    var written = 0
    let end = monotonicNow() + 250_000_000
    loop: while monotonicNow() < end {
      switch device.backend.wait() {
      case .frames(let frames):
        if frames == 0 { continue }
        // A capture side that nobody empties stops both.
        device.backend.read(into: heard, frames: frames)
        device.backend.write(silence, frames: frames)
        written += frames
      case .xrun: continue
      default: break loop
      }
    }
    return Trial(
      device: "\(address.system) \(address.name)", format: device.format,
      addedFrames: device.backend.addedFrames, capture: captureDelay(device),
      plays: written > device.format.buffer)
  }

  private static func captureDelay(_ device: AudioDevice) -> Nanoseconds? {
    if device.isDuplex { return 0 }
    guard let capture = try? IndependentCapture.open(device.address.name, beside: device.format)
    else { return nil }
    defer { capture.close() }
    let frames = device.format.buffer + device.backend.addedFrames
    return max(capture.delay - FrameClock(rate: device.format.rate).time(of: Int64(frames)), 0)
  }

  static func finding(_ trial: Result<Trial, AudioError>) -> Finding {
    switch trial {
    case .failure(let error): return Finding(.warning, "Latency", error.description)
    case .success(let trial):
      let format = trial.format
      if !trial.plays {
        return Finding(
          .warning, "Latency",
          "The audio device \(trial.device) was opened but takes no sound; Sonde would play into nothing."
        )
      }
      var parts = LatencyParts(format: format, ksmps: ksmps, addedFrames: trial.addedFrames)
      parts.capture = trial.capture
      let detail =
        "\(parts.total.milliseconds) from a gesture to its sound on \(trial.device), at \(format.rate) Hz with \(format.periods)×\(format.period) frames and k-cycles of \(ksmps): \(parts.sentence)."
      if parts.total <= 25_000_000 { return Finding(.good, "Latency", detail) }
      return Finding(
        .warning, "Latency", detail,
        remedy: "sonde play --latency 10ms   # asks the device for a shorter buffer")
    }
  }
}
