/// Turns an axis' numbers into the language's: exactly 0 at rest, exactly ±1 (or 1) at the ends.
struct AxisScale: BitwiseCopyable, Sendable {
  private let minimum: Int
  private let maximum: Int
  // The middle: one number where there is one, the two beside it where there is none (127 and 128 of 0…255).
  // Both read 0, so both kinds of pad rest at 0 and left and right are mirror images.
  private let middleLow: Int
  private let middleHigh: Int
  private let flat: Int

  /// nil for an axis without a range: the driver does not say what its numbers mean.
  init?(_ info: AxisInfo) {
    if info.minimum >= info.maximum { return nil }
    minimum = Int(info.minimum)
    maximum = Int(info.maximum)
    let sum = minimum + maximum
    middleLow = sum >> 1
    middleHigh = (sum + 1) >> 1
    flat = Int(info.flat)
    // A range of one step has no room beside the middle.
    if middleLow == minimum && middleHigh == maximum { return nil }
  }

  /// −1…1, with the axis' direction or against it.
  @_noLocks
  func bipolar(_ value: Int32, inverted: Bool) -> Double {
    let value = Int(value)
    if value > middleHigh {
      let size = value >= maximum ? 1 : Double(value - middleHigh) / Double(maximum - middleHigh)
      return inverted ? -size : size
    }
    if value < middleLow {
      let size = value <= minimum ? 1 : Double(middleLow - value) / Double(middleLow - minimum)
      return inverted ? size : -size
    }
    return 0
  }

  /// 0…1.
  @_noLocks
  func unipolar(_ value: Int32) -> Double {
    let value = Int(value)
    if value <= minimum { return 0 }
    if value >= maximum { return 1 }
    return Double(value - minimum) / Double(maximum - minimum)
  }

  /// Whether a stick that reads `value` may be one that nobody holds.
  @_noLocks
  func isAtRestInMiddle(_ value: Int32) -> Bool {
    let reach = flat
    return Int(value) >= middleLow - reach && Int(value) <= middleHigh + reach
  }
}
