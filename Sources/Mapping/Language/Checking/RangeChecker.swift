internal import Events

/// Turns written ranges and numbers into plain ones and names every mistake of unit.
struct RangeChecker {
  let diagnostics: DiagnosticList

  /// The ends of a range of the signal itself (`from`, `is`), in its unit, or nil when it is wrong.
  func signalRange(_ argument: Argument, _ unit: SignalUnit) -> ValueRange? {
    guard let (low, high) = ends(argument) else { return nil }
    if unit == .radians {
      for end in [low, high] where end.unit == nil && abs(end.value) > 2 * Double.pi {
        diagnostics.report(
          .angleBounds, at: argument.span,
          "Angles are in radians, and \(end.value.shortestText) is more than a whole turn.",
          hint: "write \(degrees(low))..\(degrees(high))")
        return nil
      }
    }
    guard isConsistent(low, high, argument.span), let first = plain(low, unit),
      let last = plain(high, unit)
    else { return nil }
    return ValueRange(first, last)
  }

  /// The ends of what `to` makes, in the target's unit, or nil when it is wrong.
  func targetRange(_ argument: Argument, decibels: Bool) -> ValueRange? {
    guard let (low, high) = ends(argument), isConsistent(low, high, argument.span) else {
      return nil
    }
    for end in [low, high] {
      switch end.unit {
      case nil, .hertz, .gravity, .degrees: continue
      case .decibels where decibels: continue
      case .decibels:
        diagnostics.report(
          .wrongUnit, at: argument.span, "`to` makes amplitudes from dB only with `db`.",
          hint: "write to \(low.value.shortestText)..\(high.value.shortestText) db")
      case .milliseconds, .seconds:
        diagnostics.report(
          .wrongUnit, at: end.span,
          "`to` gives the number that the target gets, without a unit of time.",
          hint: "write \(end.value.shortestText)")
      }
      return nil
    }
    return ValueRange(low.value * factor(low), high.value * factor(high))
  }

  /// A number without a unit, or nil when it has one.
  func number(_ argument: Argument, of stage: String) -> Double? {
    guard case .number(let quantity) = argument else { return nil }
    guard let unit = quantity.unit else { return quantity.value }
    diagnostics.report(
      .wrongUnit, at: quantity.span,
      "`\(stage)` takes a number without a unit, not `\(unit.rawValue)`.",
      hint: "write \(quantity.value.shortestText)")
    return nil
  }

  private func abs(_ value: Double) -> Double { value.magnitude }

  private func factor(_ end: Quantity) -> Double { end.unit?.factor ?? 1 }

  private func degrees(_ end: Quantity) -> String { "\(end.value.shortestText)deg" }

  private func ends(_ argument: Argument) -> (Quantity, Quantity)? {
    guard case .range(.number(let low), .number(let high), _) = argument else { return nil }
    return (low, high)
  }

  /// Zero needs no unit; any other end has the unit that the one beside it has.
  private func isConsistent(_ low: Quantity, _ high: Quantity, _ span: Span) -> Bool {
    if low.unit == high.unit { return true }
    let bare = low.unit == nil ? low : high
    if bare.unit == nil, bare.value == 0 { return true }
    let isMixed = low.unit != nil && high.unit != nil
    if isMixed, low.unit!.isTime, high.unit!.isTime { return true }
    diagnostics.report(
      .wrongUnit, at: span,
      isMixed
        ? "The ends of this range have different units."
        : "One end of this range has a unit and the other has none.",
      hint: "give both ends the same unit")
    return false
  }

  /// `end` in the unit of the signal.
  private func plain(_ end: Quantity, _ unit: SignalUnit) -> Double? {
    guard let given = end.unit else { return end.value }
    switch (given, unit) {
    case (.degrees, .radians), (.degrees, .radiansPerSecond), (.degrees, .any),
      (.gravity, .gravity), (.gravity, .any), (.hertz, .any):
      return end.value * given.factor
    default:
      diagnostics.report(
        .wrongUnit, at: end.span,
        "The unit `\(given.rawValue)` does not fit: \(description(unit)).",
        hint: "write \(end.value.shortestText), or a number in that unit")
      return nil
    }
  }

  private func description(_ unit: SignalUnit) -> String {
    switch unit {
    case .none: "the values of this control have no unit"
    case .radians: "the values are angles, in radians or deg"
    case .radiansPerSecond: "the values are in radians a second"
    case .gravity: "the values are in g"
    case .any: "the values have no unit of their own"
    }
  }
}
