public import Events

/// One stage of a line, as the mapping language names it, with its numbers in plain units (radians, seconds, g).
public enum Stage: Sendable, Equatable {
  /// How `to` spreads its range.
  public enum Shape: Sendable, Equatable {
    case linear
    /// Equal ratios; both ends above 0.
    case log
    /// The fraction of the way raised to this power, above 0.
    case pow(Double)
    /// The ends are decibels, the result is an amplitude; the very bottom is silence.
    case decibels
  }

  /// `from a..b`, a < b.
  case from(ValueRange)
  /// `to a..b`, a ≠ b; a may exceed b.
  case to(ValueRange, Shape)
  case invert
  case abs
  /// `deadzone d`, 0 ≤ d < 1.
  case deadzone(Double)
  /// `deadzone d radial` of a pair; `sibling` is the pair's other control on the same device.
  case radialDeadzone(Double, sibling: ControlID)
  /// `smooth t`, the time constant in seconds; done by the engine at its own rate, so it comes last.
  case smooth(seconds: Double)
}
