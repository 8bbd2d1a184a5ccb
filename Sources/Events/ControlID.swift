/// The number of one control of a device, the same for every device and every run.
///
/// Controls of the language (`left.x`, `gyro.y`, `touch3.down`) have small numbers from `Control`'s table;
/// raw evdev codes and, later, MIDI messages live in spaces of their own above.
@frozen
public struct ControlID: BitwiseCopyable, Hashable, Sendable {
  public var rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The evdev node of a pad that a raw code belongs to.
  public enum Node: UInt32, Sendable, CaseIterable {
    case pad = 0
    case motion = 1
    case touchpad = 2
  }

  @usableFromInline static var rawSpace: UInt32 { 0x0100_0000 }

  /// A raw evdev code, `pad.ABS_RZ` or `pad.motion.ABS_RZ`, in the device's own range and direction.
  @inlinable
  public static func raw(_ node: Node, type: UInt16, code: UInt16) -> ControlID {
    ControlID(rawValue: rawSpace | node.rawValue << 22 | UInt32(type) << 16 | UInt32(code))
  }

  /// Whether this is a raw evdev code.
  @inlinable public var isRaw: Bool { rawValue & 0xFF00_0000 == ControlID.rawSpace }

  /// The evdev event type (EV_KEY, EV_ABS) of a raw code.
  public var rawType: UInt16 { UInt16(rawValue >> 16 & 0x3F) }

  /// The evdev event code of a raw code.
  public var rawCode: UInt16 { UInt16(rawValue & 0xFFFF) }

  /// The node of a raw code.
  public var rawNode: Node { Node(rawValue: rawValue >> 22 & 3) ?? .pad }

  /// The number of the component after this one: `.y` after `.x`.
  @inlinable
  public func offset(by count: Int) -> ControlID {
    ControlID(rawValue: rawValue &+ UInt32(truncatingIfNeeded: count))
  }
}

// The numbers. Components of one vector are consecutive, so that `offset(by:)` walks them.
extension ControlID {
  @inlinable public static var leftX: ControlID { ControlID(rawValue: 0) }
  @inlinable public static var leftY: ControlID { ControlID(rawValue: 1) }
  @inlinable public static var rightX: ControlID { ControlID(rawValue: 2) }
  @inlinable public static var rightY: ControlID { ControlID(rawValue: 3) }
  @inlinable public static var leftTrigger: ControlID { ControlID(rawValue: 4) }
  @inlinable public static var rightTrigger: ControlID { ControlID(rawValue: 5) }
  @inlinable public static var dpadX: ControlID { ControlID(rawValue: 6) }
  @inlinable public static var dpadY: ControlID { ControlID(rawValue: 7) }

  @inlinable public static var south: ControlID { ControlID(rawValue: 8) }
  @inlinable public static var east: ControlID { ControlID(rawValue: 9) }
  @inlinable public static var west: ControlID { ControlID(rawValue: 10) }
  @inlinable public static var north: ControlID { ControlID(rawValue: 11) }
  @inlinable public static var dpadUp: ControlID { ControlID(rawValue: 12) }
  @inlinable public static var dpadDown: ControlID { ControlID(rawValue: 13) }
  @inlinable public static var dpadLeft: ControlID { ControlID(rawValue: 14) }
  @inlinable public static var dpadRight: ControlID { ControlID(rawValue: 15) }
  @inlinable public static var select: ControlID { ControlID(rawValue: 16) }
  @inlinable public static var start: ControlID { ControlID(rawValue: 17) }
  @inlinable public static var mode: ControlID { ControlID(rawValue: 18) }
  @inlinable public static var capture: ControlID { ControlID(rawValue: 19) }
  @inlinable public static var leftShoulder: ControlID { ControlID(rawValue: 20) }
  @inlinable public static var rightShoulder: ControlID { ControlID(rawValue: 21) }
  @inlinable public static var leftClick: ControlID { ControlID(rawValue: 22) }
  @inlinable public static var rightClick: ControlID { ControlID(rawValue: 23) }
  @inlinable public static var leftSide: ControlID { ControlID(rawValue: 24) }
  @inlinable public static var rightSide: ControlID { ControlID(rawValue: 25) }
  @inlinable public static var paddle1: ControlID { ControlID(rawValue: 26) }
  @inlinable public static var paddle2: ControlID { ControlID(rawValue: 27) }
  @inlinable public static var paddle3: ControlID { ControlID(rawValue: 28) }
  @inlinable public static var paddle4: ControlID { ControlID(rawValue: 29) }
  @inlinable public static var touchpadClick: ControlID { ControlID(rawValue: 30) }

  @inlinable public static var accelerometerX: ControlID { ControlID(rawValue: 64) }
  @inlinable public static var accelerometerLength: ControlID { ControlID(rawValue: 67) }
  @inlinable public static var gyroX: ControlID { ControlID(rawValue: 68) }
  @inlinable public static var gyroLength: ControlID { ControlID(rawValue: 71) }
  @inlinable public static var magnetometerX: ControlID { ControlID(rawValue: 72) }
  @inlinable public static var magnetometerLength: ControlID { ControlID(rawValue: 75) }
  @inlinable public static var gravityX: ControlID { ControlID(rawValue: 76) }
  @inlinable public static var gravityLength: ControlID { ControlID(rawValue: 79) }
  @inlinable public static var accelerationX: ControlID { ControlID(rawValue: 80) }
  @inlinable public static var accelerationLength: ControlID { ControlID(rawValue: 83) }
  @inlinable public static var attitudeRoll: ControlID { ControlID(rawValue: 84) }
  @inlinable public static var attitudePitch: ControlID { ControlID(rawValue: 85) }
  @inlinable public static var attitudeYaw: ControlID { ControlID(rawValue: 86) }
  @inlinable public static var quaternionW: ControlID { ControlID(rawValue: 88) }
  @inlinable public static var gyroWorldYaw: ControlID { ControlID(rawValue: 92) }

  /// `touchN.x`; `.y` and `.down` follow it. `finger` is 0…9.
  @inlinable
  public static func touchX(_ finger: Int) -> ControlID {
    ControlID(rawValue: 128 + 3 * UInt32(truncatingIfNeeded: finger))
  }

  /// One past the last number of the language's own controls: a size for flat tables.
  @inlinable public static var languageCount: Int { 160 }
}
