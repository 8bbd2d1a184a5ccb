public import Events

/// One event of the kernel's input layer (C: `struct input_event`), its time on CLOCK_MONOTONIC.
@frozen
public struct EvdevEvent: BitwiseCopyable, Sendable {
  public var time: Nanoseconds
  public var type: UInt16
  public var code: UInt16
  public var value: Int32

  @_noLocks
  public init(time: Nanoseconds, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }
}

/// What the kernel says of one absolute axis (C: `struct input_absinfo`).
public struct AxisInfo: BitwiseCopyable, Hashable, Sendable {
  public var value: Int32
  public var minimum: Int32
  public var maximum: Int32
  public var fuzz: Int32
  /// How far from the middle the axis may rest.
  public var flat: Int32
  /// On motion nodes: units per g, units per degree a second.
  public var resolution: Int32

  public init(
    value: Int32 = 0, minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0,
    resolution: Int32 = 0
  ) {
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }
}

// include/uapi/linux/input-event-codes.h. What realtime code uses is computed: a stored static would be initialised
// under a lock.
enum EventType {
  static var synchronization: UInt16 { @_noLocks get { 0 } }
  static var key: UInt16 { @_noLocks get { 1 } }
  static var absolute: UInt16 { @_noLocks get { 3 } }
  static var miscellaneous: UInt16 { @_noLocks get { 4 } }
}

enum SyncCode {
  static var report: UInt16 { @_noLocks get { 0 } }
  static var dropped: UInt16 { @_noLocks get { 3 } }
}

enum MiscCode {
  static var timestamp: UInt16 { @_noLocks get { 5 } }
}

enum AxisCode {
  static let x: UInt16 = 0x00
  static let y: UInt16 = 0x01
  static let z: UInt16 = 0x02
  static let rx: UInt16 = 0x03
  static let ry: UInt16 = 0x04
  static let rz: UInt16 = 0x05
  static let gas: UInt16 = 0x09
  static let brake: UInt16 = 0x0a
  static let hat0X: UInt16 = 0x10
  static let hat0Y: UInt16 = 0x11
  static let hat2X: UInt16 = 0x14
  static let hat2Y: UInt16 = 0x15
  static var touchSlot: UInt16 { @_noLocks get { 0x2f } }
  static var touchX: UInt16 { @_noLocks get { 0x35 } }
  static var touchY: UInt16 { @_noLocks get { 0x36 } }
  static var touchTracking: UInt16 { @_noLocks get { 0x39 } }
  static let count = 0x40
}

enum KeyCode {
  static let a: UInt16 = 30
  static let enter: UInt16 = 28
  static let space: UInt16 = 57
  static var left: UInt16 { @_noLocks get { 0x110 } }
  static let joystick: ClosedRange<UInt16> = 0x120...0x12f
  static let gamepad: ClosedRange<UInt16> = 0x130...0x13e
  static let toolPen: UInt16 = 0x140
  static let touch: UInt16 = 0x14a
  static let dpad: ClosedRange<UInt16> = 0x220...0x223
  static let count = 0x300
}

enum InputProperty {
  static let accelerometer: UInt16 = 6
}
