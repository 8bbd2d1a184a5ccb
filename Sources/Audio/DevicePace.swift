import Events
import LinuxIO

/// Notices a device that keeps no time (ALSA's `null`, or a file) and takes whatever is written at once, and keeps
/// it to the system clock, or the music would run away.
struct DevicePace: BitwiseCopyable {
  private var start: Nanoseconds = 0
  private var first: Int64 = 0
  private var isTimeless = false

  @_noLocks
  init() {}

  /// Sleeps if the device is far ahead of the clock.
  ///
  /// - Parameter frame: what it claims to play now.
  @_noLocks
  mutating func keep(_ frame: Int64, rate: Int) {
    let now = monotonicNow()
    let ahead = lead(of: frame, rate: rate, at: now)
    if ahead > 0 { sleepUntil(now &+ min(ahead, 100_000_000)) }
  }

  /// How long to wait for the clock, in nanoseconds.
  @_noLocks
  mutating func lead(of frame: Int64, rate: Int, at now: Nanoseconds) -> Nanoseconds {
    if start == 0 {
      start = now
      first = frame
    }
    let played = Nanoseconds(Double(frame &- first) * 1e9 / Double(rate))
    let elapsed = now &- start
    let ahead = played &- elapsed
    if isTimeless { return ahead }
    // No real clock is 5 % fast, and no device jumps by a quarter of a second.
    if ahead > 250_000_000 &+ elapsed / 20 { isTimeless = true }
    return isTimeless ? ahead : 0
  }
}
