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
  public static let leftX = ControlID(rawValue: 0)
  public static let leftY = ControlID(rawValue: 1)
  public static let rightX = ControlID(rawValue: 2)
  public static let rightY = ControlID(rawValue: 3)
  public static let leftTrigger = ControlID(rawValue: 4)
  public static let rightTrigger = ControlID(rawValue: 5)
  public static let dpadX = ControlID(rawValue: 6)
  public static let dpadY = ControlID(rawValue: 7)

  public static let south = ControlID(rawValue: 8)
  public static let east = ControlID(rawValue: 9)
  public static let west = ControlID(rawValue: 10)
  public static let north = ControlID(rawValue: 11)
  public static let dpadUp = ControlID(rawValue: 12)
  public static let dpadDown = ControlID(rawValue: 13)
  public static let dpadLeft = ControlID(rawValue: 14)
  public static let dpadRight = ControlID(rawValue: 15)
  public static let select = ControlID(rawValue: 16)
  public static let start = ControlID(rawValue: 17)
  public static let mode = ControlID(rawValue: 18)
  public static let capture = ControlID(rawValue: 19)
  public static let leftShoulder = ControlID(rawValue: 20)
  public static let rightShoulder = ControlID(rawValue: 21)
  public static let leftClick = ControlID(rawValue: 22)
  public static let rightClick = ControlID(rawValue: 23)
  public static let leftSide = ControlID(rawValue: 24)
  public static let rightSide = ControlID(rawValue: 25)
  public static let paddle1 = ControlID(rawValue: 26)
  public static let paddle2 = ControlID(rawValue: 27)
  public static let paddle3 = ControlID(rawValue: 28)
  public static let paddle4 = ControlID(rawValue: 29)
  public static let touchpadClick = ControlID(rawValue: 30)

  public static let accelerometerX = ControlID(rawValue: 64)
  public static let accelerometerLength = ControlID(rawValue: 67)
  public static let gyroX = ControlID(rawValue: 68)
  public static let gyroLength = ControlID(rawValue: 71)
  public static let magnetometerX = ControlID(rawValue: 72)
  public static let magnetometerLength = ControlID(rawValue: 75)
  public static let gravityX = ControlID(rawValue: 76)
  public static let gravityLength = ControlID(rawValue: 79)
  public static let accelerationX = ControlID(rawValue: 80)
  public static let accelerationLength = ControlID(rawValue: 83)
  public static let attitudeRoll = ControlID(rawValue: 84)
  public static let attitudePitch = ControlID(rawValue: 85)
  public static let attitudeYaw = ControlID(rawValue: 86)
  public static let quaternionW = ControlID(rawValue: 88)
  public static let gyroWorldYaw = ControlID(rawValue: 92)

  /// `touchN.x`; `.y` and `.down` follow it. `finger` is 0…9.
  @inlinable
  public static func touchX(_ finger: Int) -> ControlID {
    ControlID(rawValue: 128 + 3 * UInt32(truncatingIfNeeded: finger))
  }

  /// One past the last number of the language's own controls: a size for flat tables.
  public static var languageCount: Int { 160 }
}
