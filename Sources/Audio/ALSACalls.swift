// Every call of libasound that PERFORM makes, so that this file alone has to be read to know what they do there:
// all of them work on devices opened with SND_PCM_NONBLOCK and only `waitForDevice` waits.
import CALSA
import Events
import Glibc

/// An open PCM device and its status record.
struct ALSADevice: BitwiseCopyable {
  let pcm: OpaquePointer
  let status: OpaquePointer

  /// What `snd_pcm_status` knew at one moment.
  struct Status: BitwiseCopyable {
    var error: Int32
    var state: snd_pcm_state_t
    /// Frames that may be written, or read.
    var available: Int
    /// Frames written that have not been heard, or captured that have not been read.
    var delay: Int
    /// When `delay` was true, on CLOCK_MONOTONIC.
    var time: Nanoseconds
    /// When the last xrun or start happened.
    var trigger: Nanoseconds
  }

  /// Waits until a period is free, or captured (C: `snd_pcm_wait`): 1 free, 0 not within `milliseconds`, below 0 an errno.
  @_noLocks
  func waitForDevice(milliseconds: Int32) -> Int32 {
    let pcm = pcm
    return _unsafePerformance { snd_pcm_wait(pcm, milliseconds) }
  }

  /// C: `snd_pcm_status`.
  @_noLocks
  func readStatus() -> Status {
    let pcm = pcm
    let status = status
    return _unsafePerformance {
      let error = snd_pcm_status(pcm, status)
      var time = timespec()
      var trigger = timespec()
      snd_pcm_status_get_htstamp(status, &time)
      snd_pcm_status_get_trigger_htstamp(status, &trigger)
      return Status(
        error: error, state: snd_pcm_status_get_state(status),
        available: Int(snd_pcm_status_get_avail(status)),
        delay: snd_pcm_status_get_delay(status),
        time: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
        trigger: Int64(trigger.tv_sec) * 1_000_000_000 + Int64(trigger.tv_nsec))
    }
  }

  /// C: `snd_pcm_writei`: frames taken, or an errno below 0.
  @_noLocks
  func write(_ samples: UnsafeRawPointer, frames: Int) -> Int {
    let pcm = pcm
    return _unsafePerformance { snd_pcm_writei(pcm, samples, snd_pcm_uframes_t(frames)) }
  }

  /// C: `snd_pcm_readi`: frames given, or an errno below 0.
  @_noLocks
  func read(_ samples: UnsafeMutableRawPointer, frames: Int) -> Int {
    let pcm = pcm
    return _unsafePerformance { snd_pcm_readi(pcm, samples, snd_pcm_uframes_t(frames)) }
  }

  /// Frames that may be written or read as of now, or an errno below 0 (C: `snd_pcm_avail`).
  @_noLocks
  func readAvailable() -> Int {
    let pcm = pcm
    return _unsafePerformance { snd_pcm_avail(pcm) }
  }

  /// Starts the device and what is linked to it (C: `snd_pcm_start`).
  @_noLocks
  func start() -> Int32 {
    let pcm = pcm
    return _unsafePerformance { snd_pcm_start(pcm) }
  }

  /// Lets the device start and stop by itself again (C: `snd_pcm_unlink`).
  @_noLocks
  func unlink() {
    let pcm = pcm
    _unsafePerformance { _ = snd_pcm_unlink(pcm) }
  }

  /// Makes the device ready after an xrun (C: `snd_pcm_prepare`).
  @_noLocks
  func prepare() -> Int32 {
    let pcm = pcm
    return _unsafePerformance { snd_pcm_prepare(pcm) }
  }

  /// C: `snd_pcm_resume`, and `snd_pcm_prepare` where the driver cannot resume.
  @_noLocks
  func resume() -> Int32 {
    let pcm = pcm
    return _unsafePerformance {
      let result = snd_pcm_resume(pcm)
      return result == 0 || result == -EAGAIN ? result : snd_pcm_prepare(pcm)
    }
  }
}
