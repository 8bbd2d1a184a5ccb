import Synchronization

/// A gain, and a curve that bends loud peaks instead of cutting them: y = 1.5 x − 0.5 x³ with x limited to ±1.
///
/// Quiet sound becomes 1.5 times as loud at gain 1, full scale stays full scale.
public final class SoftClip: AudioProcessor {
  private let gainBits: Atomic<UInt64>
  private let bypassed = Atomic<Bool>(false)

  public init(gain: Double = 1) { gainBits = Atomic((gain.isFinite ? gain : 1).bitPattern) }

  /// What samples are multiplied with first; 0 is silence. What is not a number changes nothing.
  public var gain: Double {
    get { Double(bitPattern: gainBits.load(ordering: .relaxed)) }
    set { if newValue.isFinite { gainBits.store(newValue.bitPattern, ordering: .relaxed) } }
  }

  /// Whether sound goes through untouched.
  public var isBypassed: Bool {
    get { bypassed.load(ordering: .relaxed) }
    set { bypassed.store(newValue, ordering: .relaxed) }
  }

  public func process(_ block: UnsafeMutableBufferPointer<Double>) {
    if isBypassed { return }
    let gain = gain
    for index in block.indices { block[index] = SoftClip.shape(block[index] * gain) }
  }

  /// The curve for one sample; what is not a number becomes silence.
  public static func shape(_ sample: Double) -> Double {
    if sample.isNaN { return 0 }
    let x = min(max(sample, -1), 1)
    return 1.5 * x - 0.5 * x * x * x
  }
}
