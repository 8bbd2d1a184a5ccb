import CALSA
import Glibc

/// What `openALSA` made: an open device, and what it granted.
struct ALSAOpening {
  var device: ALSADevice
  var format: AudioFormat
  var samples: SampleFormat
}

/// Which way the sound goes.
enum ALSADirection {
  case playback, capture

  var stream: snd_pcm_stream_t {
    self == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
  }

  /// What a device is called in sentences.
  var device: String { self == .playback ? "audio device" : "capture device" }
}

/// Opens and configures a PCM device. Not for realtime threads.
///
/// - Parameter request: with the channels of the direction in `channels`.
/// - Throws: `AudioError` that names the device and says what to try.
func openALSA(
  _ name: String, _ request: AudioRequest, _ direction: ALSADirection = .playback
) throws(AudioError) -> ALSAOpening {
  sonde_quiet_alsa()
  var opened: OpaquePointer?
  let result = snd_pcm_open(&opened, name, direction.stream, Int32(SND_PCM_NONBLOCK))
  guard result >= 0, let pcm = opened else { throw openingError(name, result, direction) }
  do throws(AudioError) {
    let setup = ALSASetup(pcm: pcm, name: name, direction: direction)
    let (format, samples) = try setup.configureHardware(request)
    try setup.configureSoftware(format)
    var status: OpaquePointer?
    guard snd_pcm_status_malloc(&status) == 0, let status else {
      throw AudioError("There is no memory for the status of the \(direction.device) \(name).")
    }
    return ALSAOpening(
      device: ALSADevice(pcm: pcm, status: status), format: format, samples: samples)
  } catch {
    snd_pcm_close(pcm)
    throw error
  }
}

/// Closes what `openALSA` made. Not for realtime threads.
func closeALSA(_ device: ALSADevice) {
  // Dropped, not drained: a stalled device would never drain.
  snd_pcm_drop(device.pcm)
  snd_pcm_close(device.pcm)
  snd_pcm_status_free(device.status)
}

private func openingError(
  _ name: String, _ result: Int32, _ direction: ALSADirection
) -> AudioError {
  let isPlayback = direction == .playback
  let wayOut =
    isPlayback
    ? "play without a sound card with --audio none, or write a file with sonde render --output FILE"
    : "its input is silent until it can be opened"
  let list = isPlayback ? "aplay" : "arecord"
  let device = direction.device
  switch -result {
  case ENOENT, ENODEV, ENXIO:
    return AudioError(
      "The \(device) \(name) does not exist on this machine (no sound card, or another name: \(list) -L lists them); \(wayOut).",
      isMissing: true)
  case EBUSY:
    return AudioError(
      "The \(device) \(name) is in use by another program; end that, choose another device, or \(wayOut)."
    )
  case EACCES, EPERM:
    return AudioError(
      "The \(device) \(name) may not be opened by this user; add the user to the group audio, or \(wayOut)."
    )
  default:
    return AudioError(
      "The \(device) \(name) cannot be opened (\(text(result))); choose another device, or \(wayOut)."
    )
  }
}

private func text(_ result: Int32) -> String { String(cString: snd_strerror(result)) }

private struct ALSASetup {
  let pcm: OpaquePointer
  let name: String
  let direction: ALSADirection

  func check(_ result: Int32, _ what: String) throws(AudioError) {
    if result < 0 {
      throw AudioError("The \(direction.device) \(name) refuses \(what): \(text(result)).")
    }
  }

  func configureHardware(_ request: AudioRequest) throws(AudioError) -> (AudioFormat, SampleFormat)
  {
    var made: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&made) == 0, let parameters = made else {
      throw AudioError("There is no memory for the parameters of the \(direction.device) \(name).")
    }
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(pcm, parameters), "to say what it can do")
    try check(
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "interleaved samples")
    let samples = try chooseFormat(parameters)

    var channels = UInt32(request.channels)
    if snd_pcm_hw_params_set_channels(pcm, parameters, channels) < 0 {
      try check(
        snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels),
        "\(request.channels) channels")
    }
    var rate = UInt32(request.rate)
    if snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) < 0 {
      try check(
        snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "\(request.rate) Hz")
    }
    _ = snd_pcm_hw_params_set_periods_integer(pcm, parameters)
    var period = snd_pcm_uframes_t(request.period ?? 256)
    try check(
      snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil),
      "periods of \(period) frames")
    var buffer = period * snd_pcm_uframes_t(max(request.periods ?? 2, 2))
    try check(
      snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer),
      "a buffer of \(buffer) frames")
    try check(snd_pcm_hw_params(pcm, parameters), "these parameters together")
    try check(snd_pcm_hw_params_get_period_size(parameters, &period, nil), "to tell its period")
    try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "to tell its buffer")
    let format = AudioFormat(
      rate: Int(rate), channels: request.channels, deviceChannels: Int(channels),
      period: Int(period), periods: Int(buffer / period), inputChannels: request.inputChannels)
    if format.periods < 2 {
      throw AudioError(
        "The \(direction.device) \(name) has a buffer of one period (\(period) frames) only; ask for a shorter period."
      )
    }
    return (format, samples)
  }

  private func chooseFormat(_ parameters: OpaquePointer) throws(AudioError) -> SampleFormat {
    let choices: [(SampleFormat, snd_pcm_format_t)] = [
      (.float32, SND_PCM_FORMAT_FLOAT_LE), (.int32, SND_PCM_FORMAT_S32_LE),
      (.int16, SND_PCM_FORMAT_S16_LE),
    ]
    for (choice, format) in choices
    where snd_pcm_hw_params_set_format(pcm, parameters, format) == 0 {
      return choice
    }
    throw AudioError(
      "The \(direction.device) \(name) takes neither floating-point, 32-bit nor 16-bit samples; use it through plug:\(name)."
    )
  }

  func configureSoftware(_ format: AudioFormat) throws(AudioError) {
    var made: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&made) == 0, let parameters = made else {
      throw AudioError("There is no memory for the parameters of the \(direction.device) \(name).")
    }
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(pcm, parameters), "to tell its software parameters")
    // Capture never starts by itself, at a moment that nobody knows.
    var threshold = snd_pcm_uframes_t(format.buffer)
    if direction == .capture {
      try check(
        snd_pcm_sw_params_get_boundary(parameters, &threshold), "to tell its largest position")
    }
    try check(
      snd_pcm_sw_params_set_start_threshold(pcm, parameters, threshold),
      "to start when it is told to")
    try check(
      snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(format.period)),
      "to wake once a period")
    try check(
      snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE), "time stamps")
    try check(
      snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC),
      "time stamps of the monotonic clock")
    try check(snd_pcm_sw_params(pcm, parameters), "these software parameters together")
  }
}
