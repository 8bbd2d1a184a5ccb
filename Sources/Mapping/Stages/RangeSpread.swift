internal import Events

/// The stage `to a..b`: spreads the range that it gets over a…b, linear or bent, both ends exact.
struct RangeSpread: BitwiseCopyable {
  private enum Bend: UInt8, BitwiseCopyable {
    case linear, equalRatios, power, decibels
  }

  private let input: ValueRange
  /// What the bend works in: the ends as written, decibels for a level.
  private let first: Double
  private let last: Double
  /// What comes out at the two ends of the input.
  private let atLow: Double
  private let atHigh: Double
  /// ln(b/a) of equal ratios, the exponent of a power.
  private let parameter: Double
  private let bend: Bend

  init(_ output: ValueRange, _ shape: Stage.Shape, from input: ValueRange) {
    self.input = input
    first = output.low
    last = output.high
    switch shape {
    case .linear:
      (bend, parameter) = (.linear, 0)
    case .log:
      (bend, parameter) = (.equalRatios, naturalLogarithm(output.high / output.low))
    case .pow(let exponent):
      (bend, parameter) = (.power, exponent)
    case .decibels:
      (bend, parameter) = (.decibels, 0)
    }
    if bend == .decibels {
      // The quieter end is silence, not merely quiet.
      atLow = first < last ? 0 : amplitude(decibels: first)
      atHigh = first < last ? amplitude(decibels: last) : 0
    } else {
      (atLow, atHigh) = (first, last)
    }
  }

  /// The range of what comes out, low end first even where the stage falls.
  var outputRange: ValueRange {
    atLow < atHigh ? ValueRange(atLow, atHigh) : ValueRange(atHigh, atLow)
  }

  @_noLocks
  func apply(_ value: Double) -> Double {
    if value <= input.low { return atLow }
    if value >= input.high { return atHigh }
    let fraction = (value - input.low) / input.span
    let result: Double
    switch bend {
    case .linear: result = first + (last - first) * fraction
    case .equalRatios: result = first * exponential(fraction * parameter)
    case .power: result = first + (last - first) * Mapping.power(fraction, parameter)
    case .decibels: result = amplitude(decibels: first + (last - first) * fraction)
    }
    // Rounding may step over an end by the last digit.
    return ValueRange(atLow, atHigh).clamp(result)
  }
}
