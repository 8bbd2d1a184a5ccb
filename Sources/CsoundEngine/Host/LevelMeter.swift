import Synchronization

/// Shows how loud each channel is: the peak, which is held for a while, and the effective level (RMS).
///
/// Levels may be read on any thread.
public final class LevelMeter: AudioProcessor, @unchecked Sendable {
  /// The levels of one channel, as parts of full scale.
  public struct Level: Sendable, Equatable {
    /// The highest sample of the last `hold` seconds, without its sign.
    public var peak = 0.0
    /// The root of the mean square over about 0.3 s.
    public var rms = 0.0
  }

  /// The most channels that are shown.
  public static let mostChannels = 64
  private static let smoothing = 0.3

  private let hold: Double
  private let shown: UnsafeMutablePointer<Atomic<UInt64>>
  private let shownChannels = Atomic<Int>(0)
  // PERFORM's.
  private var channels = 0
  private var framesOfHold = 0
  private var weight = 0.0
  private var peaks = [Double](repeating: 0, count: LevelMeter.mostChannels)
  private var ages = [Int](repeating: 0, count: LevelMeter.mostChannels)
  private var squares = [Double](repeating: 0, count: LevelMeter.mostChannels)

  /// - Parameter hold: how long a peak is shown, in seconds.
  public init(hold: Double = 1.5) {
    self.hold = hold.isFinite ? max(hold, 0) : 1.5
    shown = .allocate(capacity: 2 * LevelMeter.mostChannels)
    for index in 0..<(2 * LevelMeter.mostChannels) { (shown + index).initialize(to: Atomic(0)) }
  }

  deinit {
    shown.deinitialize(count: 2 * LevelMeter.mostChannels)
    shown.deallocate()
  }

  /// The levels of all channels.
  public var levels: [Level] {
    (0..<shownChannels.load(ordering: .acquiring)).map { channel in
      Level(
        peak: Double(bitPattern: shown[2 * channel].load(ordering: .relaxed)),
        rms: Double(bitPattern: shown[2 * channel + 1].load(ordering: .relaxed)))
    }
  }

  public func prepare(rate: Int, channels: Int, frames: Int) {
    self.channels = min(channels, LevelMeter.mostChannels)
    stride = channels
    framesOfHold = Int(hold * Double(rate))
    weight = min(1 / (LevelMeter.smoothing * Double(rate)), 1)
    for channel in peaks.indices {
      peaks[channel] = 0
      ages[channel] = 0
      squares[channel] = 0
    }
    shownChannels.store(self.channels, ordering: .releasing)
  }

  private var stride = 0

  public func process(_ block: UnsafeMutableBufferPointer<Double>) {
    if stride == 0 { return }
    let frames = block.count / stride
    for channel in 0..<channels {
      var peak = peaks[channel]
      var age = ages[channel]
      var square = squares[channel]
      for frame in 0..<frames {
        let sample = block[frame * stride + channel]
        let size = sample.isFinite ? abs(sample) : 0
        if size >= peak || age >= framesOfHold {
          peak = size
          age = 0
        } else {
          age += 1
        }
        square += (size * size - square) * weight
      }
      peaks[channel] = peak
      ages[channel] = age
      squares[channel] = square
      shown[2 * channel].store(peak.bitPattern, ordering: .relaxed)
      shown[2 * channel + 1].store(square.squareRoot().bitPattern, ordering: .relaxed)
    }
  }
}
