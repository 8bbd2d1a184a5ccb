/// A closed range of values, `low` to `high`, that a control, a stage or a widget speaks.
///
/// `low` may exceed `high` only where the mapping language allows a falling range (`to 1..0`).
@frozen
public struct ValueRange: BitwiseCopyable, Hashable, Sendable {
  public var low: Double
  public var high: Double

  @inlinable
  public init(_ low: Double, _ high: Double) {
    self.low = low
    self.high = high
  }

  /// 0…1: buttons, triggers and touches.
  public static var unipolar: ValueRange { ValueRange(0, 1) }

  /// −1…1: sticks and hats.
  public static var bipolar: ValueRange { ValueRange(-1, 1) }

  @inlinable public var span: Double { high - low }

  /// Whether the range is symmetric about 0, so that 0 is a centre and not an end.
  @inlinable public var isSymmetric: Bool { low == -high && high > 0 }

  /// `value` limited to the range; a NaN becomes `low`.
  @inlinable
  public func clamp(_ value: Double) -> Double {
    let bottom = low < high ? low : high
    let top = low < high ? high : low
    if value > top { return top }
    if value >= bottom { return value }
    return bottom
  }
}
