/// The number that the registry gave one plugged-in device; re-used after it leaves.
public typealias DeviceIndex = UInt16

/// One thing that a driver saw: a control's new value, or a turn in the life of its device.
///
/// Trivially copyable, so that it travels through rings and buffers without allocation.
@frozen
public struct ControlEvent: BitwiseCopyable, Equatable, Sendable {
  @frozen
  public enum Kind: UInt8, Sendable {
    /// `control` has `value` now.
    case value
    /// What came since the last frame end belongs to one instant (SYN_REPORT, an IIO scan, a MIDI instant).
    case frameEnd
    /// The kernel lost events (SYN_DROPPED, an overrun); the true state follows as values.
    case lost
    /// The device is there. Its controls that are not at rest follow, and a frame end.
    case plugged
    /// The device left.
    case unplugged
    /// An undecoded evdev event for `sonde record --raw`: `control` is the raw code, `node` the event node's number.
    case raw
    /// A widget moved by hand: `control.rawValue` is its number in the mapping.
    case widget
  }

  /// When it happened, on CLOCK_MONOTONIC: when the kernel saw it, or what `ClockFilter` makes of the clock of a sensor
  /// that has one, which may be some milliseconds after that.
  public var time: Nanoseconds
  /// The device's own clock, unwrapped, or `.none`.
  public var sensorTime: Nanoseconds
  public var value: Double
  public var control: ControlID
  public var device: DeviceIndex
  public var node: UInt16
  public var kind: Kind

  @inlinable
  public init(
    _ kind: Kind, time: Nanoseconds, device: DeviceIndex,
    control: ControlID = ControlID(rawValue: 0),
    value: Double = 0, sensorTime: Nanoseconds = .min, node: UInt16 = 0
  ) {
    self.kind = kind
    self.time = time
    self.device = device
    self.control = control
    self.value = value
    self.sensorTime = sensorTime
    self.node = node
  }
}
