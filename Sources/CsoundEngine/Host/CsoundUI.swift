public import Events
public import Widgets

/// Widgets of a program, bound to channels of its orchestra by name.
///
/// A widget and its channel have one value: whoever moved it last, a hand, the orchestra or another widget of the same
/// channel. Widgets need no run: what they are moved to is what the next one begins with.
public final class CsoundUI: Sendable {
  private let csound: CsoundObj

  public init(_ csound: CsoundObj) { self.csound = csound }

  /// A value between the ends of a range, moved by a hand.
  ///
  /// - Parameter defaultValue: where it stands until it is moved; nil is the range's low end.
  /// - Throws: `EngineError` when no channel can have that name.
  public func addSlider(
    _ channel: String, range: ValueRange = .unipolar, defaultValue: Double? = nil,
    step: Double? = nil, scale: WidgetDescription.Scale = .linear
  ) throws(EngineError) -> ValueWidget {
    try value(.slider, channel, range, defaultValue, step, scale)
  }

  /// As `addSlider`, turned.
  public func addKnob(
    _ channel: String, range: ValueRange = .unipolar, defaultValue: Double? = nil,
    step: Double? = nil, scale: WidgetDescription.Scale = .linear
  ) throws(EngineError) -> ValueWidget {
    try value(.knob, channel, range, defaultValue, step, scale)
  }

  /// As `addSlider`, written.
  public func addNumber(
    _ channel: String, range: ValueRange, defaultValue: Double? = nil, step: Double? = nil
  ) throws(EngineError) -> ValueWidget {
    try value(.number, channel, range, defaultValue, step, .linear)
  }

  private func value(
    _ kind: WidgetDescription.Kind, _ channel: String, _ range: ValueRange,
    _ defaultValue: Double?, _ step: Double?, _ scale: WidgetDescription.Scale
  ) throws(EngineError) -> ValueWidget {
    ValueWidget(
      WidgetDescription(
        name: channel, kind: kind, range: range, defaultValue: defaultValue, step: step,
        scale: scale), try csound.controlChannel(channel))
  }

  /// 1 while it is on.
  public func addSwitch(_ channel: String, isOn: Bool = false) throws(EngineError) -> SwitchWidget {
    SwitchWidget(try csound.controlChannel(channel), isOn: isOn)
  }

  /// 1 while it is held down.
  public func addButton(_ channel: String) throws(EngineError) -> SwitchWidget {
    SwitchWidget(try csound.controlChannel(channel), isOn: false)
  }

  /// 1 for exactly one k-cycle at each touch.
  public func addMomentary(_ channel: String) throws(EngineError) -> MomentaryWidget {
    MomentaryWidget(try csound.controlChannel(channel))
  }

  /// Shows a channel as a number.
  ///
  /// - Parameter precision: decimals, from 0 to 15.
  public func addLabel(_ channel: String, precision: Int = 2) throws(EngineError) -> LabelWidget {
    LabelWidget(try csound.controlChannel(channel), precision: precision)
  }

  /// Shows how high a channel goes, and holds its peak.
  ///
  /// - Parameter hold: for how long, in seconds.
  public func addMeter(_ channel: String, hold: Double = 1.5) throws(EngineError) -> MeterWidget {
    MeterWidget(try csound.controlChannel(channel), hold: hold)
  }

  /// A point on a plane: the channels `NAME.x` and `NAME.y`.
  public func addXY(
    _ name: String, x: ValueRange = .unipolar, y: ValueRange = .unipolar
  ) throws(EngineError) -> XYWidget {
    XYWidget(
      x: try value(.slider, name + ".x", x, nil, nil, .linear),
      y: try value(.slider, name + ".y", y, nil, nil, .linear))
  }

  /// Keys that play an instrument: p4 is the key, p5 the velocity from 0 to 127.
  ///
  /// - Parameter instrument: a number or a name.
  public func addKeyboard(_ instrument: String) throws(EngineError) -> KeyboardWidget {
    try KeyboardWidget(csound, instrument)
  }
}
