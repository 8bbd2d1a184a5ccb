import Events
public import Widgets

/// A slider, knob or number: a value within a range.
public final class ValueWidget: Sendable {
  public let description: WidgetDescription
  private let channel: ControlChannel
  private let scaling: WidgetScaling

  init(_ description: WidgetDescription, _ channel: ControlChannel) {
    self.description = description
    self.channel = channel
    scaling = WidgetScaling(description)
    channel.begin(with: scaling.clamp(description.defaultValue))
  }

  /// In the widget's units. Set, it is limited to the range and goes to the nearest step; what is not a number moves
  /// nothing. Read, it is what the channel holds, limited to the range.
  public var value: Double {
    get { scaling.clamp(channel.value) }
    set { if newValue.isFinite { channel.value = stepped(newValue) } }
  }

  /// The same as the part of the way from the low end to the high one, 0…1.
  public var fraction: Double {
    get { scaling.fraction(of: channel.value) }
    set { if !newValue.isNaN { channel.value = stepped(scaling.value(at: newValue)) } }
  }

  /// Whether the orchestra moved it since the last call.
  public func takeChange() -> Bool { channel.takeChange() }

  private func stepped(_ value: Double) -> Double {
    guard let step = description.step, step > 0 else { return scaling.clamp(value) }
    let low = scaling.range.low
    return scaling.clamp(low + ((value - low) / step).rounded() * step)
  }
}

/// A point on a plane.
public struct XYWidget: Sendable {
  public let x: ValueWidget
  public let y: ValueWidget

  /// Moves both at once; the orchestra sees both in the same k-cycle or one after the other.
  public func move(x: Double, y: Double) {
    self.x.value = x
    self.y.value = y
  }
}
