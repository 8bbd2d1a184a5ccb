public import Events

/// What a widget is: its name, kind, range and scale, without its present value.
public struct WidgetDescription: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case slider, knob, button, momentary, `switch`, number, label, xy, keyboard, meter

    /// Whether the widget shows a gate, 0 or 1, whatever its range says.
    public var followsGate: Bool { self == .button || self == .switch || self == .momentary }
  }

  /// How a fraction of the way from min to max becomes a value.
  public enum Scale: String, Sendable, CaseIterable {
    /// Equal distances.
    case linear
    /// Equal ratios; needs 0 < min.
    case log
  }

  /// The widget's name, and that of its channel.
  public var name: String
  public var kind: Kind
  /// min…max, with min < max.
  public var range: ValueRange
  public var defaultValue: Double
  /// The distance of two values that a hand can choose, in the widget's units, or nil for none.
  public var step: Double?
  public var scale: Scale

  /// - Parameter defaultValue: the value before anything moved it; nil is the range's low end.
  public init(
    name: String, kind: Kind, range: ValueRange = .unipolar, defaultValue: Double? = nil,
    step: Double? = nil, scale: Scale = .linear
  ) {
    self.name = name
    self.kind = kind
    self.range = range
    self.defaultValue = defaultValue ?? range.low
    self.step = step
    self.scale = scale
  }
}
