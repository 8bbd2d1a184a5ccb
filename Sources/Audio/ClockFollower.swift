/// Decides which piece of a captured stream belongs to each block of a device with another clock.
///
/// It follows a target, which two delay-locked loops have smoothed, by changing the speed a little: an error is
/// worked off in about a second, and never by more than 0.3 %, which is 5 cents. Only a jump of the target is
/// followed by a jump.
public struct ClockFollower: Sendable, BitwiseCopyable {
  /// What to do for a block.
  public enum Step: Sendable, Equatable, BitwiseCopyable {
    /// Use up so many captured frames.
    case advance(Double)
    /// Begin anew at about `position`, then use up so many.
    case jump(Double)
    /// The target lies before what was used up already: wait in silence.
    case hold
  }

  private let limit: Double
  private let rate: Double
  /// The captured frames that were used up.
  public private(set) var position = 0.0
  private var isSynchronised = false

  /// - Parameters:
  ///   - captureRate: of the captured stream, frames per second.
  ///   - rate: of the blocks.
  public init(captureRate: Int, rate: Int) {
    // 20 ms: more than any jitter that the loops let through.
    limit = Double(captureRate) / 50
    self.rate = Double(rate)
  }

  /// Chooses for a block of `frames` frames.
  ///
  /// - Parameters:
  ///   - expected: captured frames that pass in its time.
  ///   - target: the captured frame at which it should end.
  @_noLocks
  public mutating func step(frames: Int, expected: Double, target: Double) -> Step {
    let error = target - (position + expected)
    if !isSynchronised {
      if target < expected { return .hold }
      isSynchronised = true
      position = target - expected
      return .jump(expected)
    }
    if error > limit {
      position = target - expected
      return .jump(expected)
    }
    if error < -limit { return .hold }
    let share = Double(frames) / rate
    var correction = error * (share < 1 ? share : 1)
    let most = expected * 0.003
    if correction > most { correction = most }
    if correction < -most { correction = -most }
    return .advance(expected + correction)
  }

  /// Takes note that it really began anew at `frame`.
  @_noLocks
  public mutating func begin(at frame: Int64) { position = Double(frame) }

  /// Takes note that so many frames were used up.
  @_noLocks
  public mutating func use(_ frames: Double) { position += frames }
}
