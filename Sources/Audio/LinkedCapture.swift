import CALSA

/// The capture side of a sound card that plays: one clock, started and stopped together.
///
/// A plain record of an owner that closes it; the thread that performs reads.
struct LinkedCapture: BitwiseCopyable {
  let alsa: ALSADevice
  let conversion: CaptureConversion
  let samples: UnsafeMutableRawPointer

  /// Opens `name` beside a device that was opened for playback; nil where the two are not one card that runs
  /// both at one pace. Not for realtime threads.
  init?(_ name: String, beside playback: ALSADevice, _ format: AudioFormat) {
    let request = AudioRequest(
      rate: format.rate, channels: format.inputChannels, period: format.period,
      periods: format.periods)
    guard let opening = try? openALSA(name, request, .capture) else { return nil }
    let granted = opening.format
    let card = cardNumber(playback.pcm)
    // The kernel links devices of different cards too, and their clocks would part.
    guard card >= 0, card == cardNumber(opening.device.pcm), granted.rate == format.rate,
      granted.period == format.period, granted.buffer >= format.buffer,
      snd_pcm_link(playback.pcm, opening.device.pcm) == 0
    else {
      closeALSA(opening.device)
      return nil
    }
    alsa = opening.device
    conversion = CaptureConversion(
      format: opening.samples, deviceChannels: granted.deviceChannels,
      channels: format.inputChannels)
    samples = .allocate(
      byteCount: granted.buffer * granted.deviceChannels * opening.samples.bytes, alignment: 16)
  }

  /// Closes the device; the last call.
  func close() {
    closeALSA(alsa)
    samples.deallocate()
  }

  /// Fetches `frames` frames: what is missing is silence.
  @_noLocks
  func read(into block: UnsafeMutablePointer<Double>, frames: Int) {
    let count = max(alsa.read(samples, frames: frames), 0)
    conversion.convert(samples, frames: count, to: block)
    for index in (count &* conversion.channels)..<(frames &* conversion.channels) {
      block[index] = 0
    }
  }
}

/// The number of the sound card behind a device, or −1 for one that is not a single card's.
private func cardNumber(_ pcm: OpaquePointer) -> Int32 {
  var made: OpaquePointer?
  guard snd_pcm_info_malloc(&made) == 0, let info = made else { return -1 }
  defer { snd_pcm_info_free(info) }
  return snd_pcm_info(pcm, info) == 0 ? snd_pcm_info_get_card(info) : -1
}
