public import Events

/// A widget's range and scale, ready for the INPUT thread: fractions 0…1 to the widget's units and back.
///
/// Both ends are exact, and both directions are monotone.
@frozen
public struct WidgetScaling: BitwiseCopyable, Sendable {
  public let range: ValueRange
  /// ln(max/min) of a logarithmic scale, 0 of a linear one.
  @usableFromInline let logRatio: Double

  public init(_ widget: WidgetDescription) {
    range = widget.kind.followsGate ? .unipolar : widget.range
    let isLogarithmic = widget.scale == .log && !widget.kind.followsGate
    logRatio = isLogarithmic ? naturalLogarithm(widget.range.high / widget.range.low) : 0
  }

  /// The value at `fraction` of the way from min to max; a fraction outside 0…1 gives the end.
  @_noLocks
  public func value(at fraction: Double) -> Double {
    if fraction >= 1 { return range.high }
    // Also takes a NaN.
    if !(fraction > 0) { return range.low }
    let value =
      logRatio == 0
      ? range.low + range.span * fraction : range.low * exponential(fraction * logRatio)
    return range.clamp(value)
  }

  /// How far `value` is on the way from min to max, 0…1.
  @_noLocks
  public func fraction(of value: Double) -> Double {
    if value >= range.high { return 1 }
    if !(value > range.low) { return 0 }
    let fraction =
      logRatio == 0
      ? (value - range.low) / range.span : naturalLogarithm(value / range.low) / logRatio
    return ValueRange(0, 1).clamp(fraction)
  }

  /// `value` limited to the widget's range; a NaN becomes the lower end.
  @_noLocks
  public func clamp(_ value: Double) -> Double { range.clamp(value) }
}
