import Audio

/// Lets the sound in and out within five milliseconds, so that neither pause nor mute is heard as a click.
struct OutputGain: BitwiseCopyable {
  private let step: Double
  private var gain = 1.0

  init(rate: Int) { step = 1 / max(0.005 * Double(rate), 1) }

  /// Whether nothing is let through.
  var isClosed: Bool { @_noLocks get { gain == 0 } }

  /// Moves towards open or closed, and applies that to interleaved frames.
  @_noLocks
  mutating func apply(
    to block: UnsafeMutablePointer<Double>, frames: Int, channels: Int, isOpen: Bool
  ) {
    if isOpen ? gain == 1 : false { return }
    var index = 0
    for _ in 0..<frames {
      gain = isOpen ? min(gain + step, 1) : max(gain - step, 0)
      for _ in 0..<channels {
        block[index] *= gain
        index &+= 1
      }
    }
  }
}
