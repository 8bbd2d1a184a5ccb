internal import Events

/// A stage with its numbers worked out for the range that reaches it.
enum CompiledStage: BitwiseCopyable {
  case clamp(ValueRange)
  case spread(RangeSpread)
  case mirror(ValueRange)
  case magnitude
  case deadzone(Deadzone)
  case radialDeadzone(Deadzone)

  /// Changes both numbers of a pair, since a later stage may look at both.
  @_noLocks
  func apply(_ value: inout Double, sibling: inout Double) {
    if case .radialDeadzone(let zone) = self {
      let own = zone.apply(value, sibling: sibling)
      sibling = zone.apply(sibling, sibling: value)
      value = own
      return
    }
    value = apply(value)
    sibling = apply(sibling)
  }

  /// What the stage makes of a number by itself.
  @_noLocks
  func apply(_ value: Double) -> Double {
    switch self {
    case .clamp(let range): return range.clamp(value)
    case .spread(let spread): return spread.apply(value)
    case .mirror(let range):
      if value == range.low { return range.high }
      if value == range.high { return range.low }
      let result = range.low + range.high - value
      return value > range.low && value < range.high ? range.clamp(result) : result
    case .magnitude: return value < 0 ? -value : value
    case .deadzone(let zone), .radialDeadzone(let zone): return zone.apply(value)
    }
  }
}

/// The stages of one line, compiled: each knows the range that the one before it leaves.
struct StageChain {
  private(set) var stages: [CompiledStage] = []
  /// The range of the values that leave the last stage, low end first.
  private(set) var range: ValueRange
  /// Whether the numbers are meant in a widget's own units (`to`), so that a widget only clamps them.
  private(set) var speaksWidgetUnits = false
  /// The time constant of `smooth` in seconds, 0 for none.
  private(set) var smoothing = 0.0
  /// The pair's other control, where a stage needs both.
  private(set) var sibling: ControlID?

  init(_ descriptions: [Stage], range: ValueRange) {
    self.range = range
    for description in descriptions { append(description) }
  }

  private mutating func append(_ stage: Stage) {
    switch stage {
    case .from(let wanted):
      stages.append(.clamp(wanted))
      range = wanted
    case .to(let wanted, let shape):
      let spread = RangeSpread(wanted, shape, from: range)
      stages.append(.spread(spread))
      range = spread.outputRange
      speaksWidgetUnits = true
    case .invert:
      stages.append(.mirror(range))
    case .abs:
      stages.append(.magnitude)
      if range.high <= 0 {
        range = ValueRange(0 - range.high, 0 - range.low)
      } else if range.low < 0 {
        range = ValueRange(0, range.high > -range.low ? range.high : -range.low)
      }
    case .deadzone(let share):
      let zone = Deadzone(share, range: range)
      stages.append(.deadzone(zone))
      range = ValueRange(zone.apply(range.low), zone.apply(range.high))
    case .radialDeadzone(let share, let other):
      stages.append(.radialDeadzone(Deadzone(share, range: range)))
      sibling = other
    case .smooth(let seconds):
      smoothing = seconds
    }
  }

  /// What the stages make of `value`: for tools and tests; the runtime walks its own flat copy.
  func apply(_ value: Double, sibling: Double = 0) -> Double {
    var value = value
    var other = sibling
    for stage in stages {
      if self.sibling == nil {
        value = stage.apply(value)
      } else {
        stage.apply(&value, sibling: &other)
      }
    }
    return value
  }
}
