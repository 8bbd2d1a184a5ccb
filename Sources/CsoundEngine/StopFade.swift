import Audio
import Events

/// How a run fades out after a stop was asked for.
///
/// Held notes are released and sound for 280 ms, the sound fades in 20 ms, and the device plays that to its end; a
/// second in all, whatever the buffer and the rate are.
struct StopFade: BitwiseCopyable {
  private let start: Int64
  private let length: Int64
  private let deadline: Nanoseconds

  /// - Parameters:
  ///   - frame: the next frame that is computed.
  ///   - wereNotesHeld: whether there is something to hear of their release.
  @_noLocks
  init(at frame: Int64, wereNotesHeld: Bool, clock: FrameClock, now: Nanoseconds) {
    start = frame &+ (wereNotesHeld ? 280 &* clock.rate / 1000 : 0)
    length = clock.rate / 50
    deadline = now &+ 1_000_000_000
  }

  /// Whether all of it was heard, or time is up; `written` frames were given to a device with a buffer of `buffer`.
  @_noLocks
  func isOver(written: Int64, buffer: Int, now: Nanoseconds) -> Bool {
    now > deadline ? true : written >= start &+ length &+ Int64(buffer)
  }

  /// Fades a block that begins at `frame`.
  @_noLocks
  func apply(
    to block: UnsafeMutablePointer<Double>, from frame: Int64, frames: Int, channels: Int
  ) {
    for index in 0..<frames {
      let after = frame &+ Int64(index) &- start
      if after <= 0 { continue }
      let gain = after < length ? 1 - Double(after) / Double(length) : 0
      for channel in 0..<channels { block[index &* channels &+ channel] *= gain }
    }
  }
}
