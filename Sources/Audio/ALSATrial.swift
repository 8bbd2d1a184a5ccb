import CALSA
import Events
import LinuxIO

/// A look whether a device that can be opened again moves as well: a stalled one may be opened, written to and started,
/// and stands as before. Not for realtime threads.
struct ALSATrial {
  private enum Outcome {
    case undecided, moves, stands
  }

  let alsa: ALSADevice
  let format: AudioFormat

  /// Starts the device, and waits until it moves or its patience is over; it is as it was opened then.
  ///
  /// - Parameter silence: for a device that plays: a buffer of it.
  func isMoving(silence: UnsafeRawPointer? = nil) -> Bool {
    let deadline = monotonicNow() + patience(period: format.period, rate: format.rate)
    if let silence { _ = alsa.write(silence, frames: format.buffer) }
    // A full buffer may have started it.
    _ = alsa.start()
    var outcome = look()
    while outcome == .undecided && monotonicNow() < deadline {
      sleepUntil(monotonicNow() + 5_000_000)
      outcome = look()
    }
    snd_pcm_drop(alsa.pcm)
    snd_pcm_prepare(alsa.pcm)
    return outcome == .moves
  }

  // A whole period counts: hardware fetches some frames ahead before it plays any.
  private func look() -> Outcome {
    // Brings the position up to date, for plugins that do so only when they are asked.
    _ = alsa.readAvailable()
    let status = alsa.readStatus()
    if status.error < 0 { return .stands }
    switch status.state {
    case SND_PCM_STATE_RUNNING where status.available >= format.period, SND_PCM_STATE_XRUN:
      return .moves
    case SND_PCM_STATE_DISCONNECTED: return .stands
    default: return .undecided
    }
  }
}

/// How long a device may stand still before it is given up: a second, or ten periods where that is longer.
@_noLocks
func patience(period: Int, rate: Int) -> Nanoseconds {
  max(1_000_000_000, 10_000_000_000 &* Int64(period) / Int64(rate))
}
