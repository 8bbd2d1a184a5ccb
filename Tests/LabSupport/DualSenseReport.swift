import Glibc

/// What a DualSense says over USB in one input report, byte by byte as drivers/hid/hid-playstation.c reads it.
///
/// Sensors are given raw; with the calibration of `VirtualDualSense` 8192 is 1 g and 16 is 1 °/s.
/// The frame is the pad's own: x to the right, y up out of the face, z towards the player.
public struct DualSenseReport: Sendable, Equatable {
  public struct Buttons: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let square = Buttons(rawValue: 1 << 4)
    public static let cross = Buttons(rawValue: 1 << 5)
    public static let circle = Buttons(rawValue: 1 << 6)
    public static let triangle = Buttons(rawValue: 1 << 7)
    public static let l1 = Buttons(rawValue: 1 << 8)
    public static let r1 = Buttons(rawValue: 1 << 9)
    public static let l2 = Buttons(rawValue: 1 << 10)
    public static let r2 = Buttons(rawValue: 1 << 11)
    public static let create = Buttons(rawValue: 1 << 12)
    public static let options = Buttons(rawValue: 1 << 13)
    public static let l3 = Buttons(rawValue: 1 << 14)
    public static let r3 = Buttons(rawValue: 1 << 15)
    public static let ps = Buttons(rawValue: 1 << 16)
    public static let touchpad = Buttons(rawValue: 1 << 17)
    public static let mute = Buttons(rawValue: 1 << 18)
  }

  /// The direction pad, clockwise from the top.
  public enum Hat: UInt8, Sendable {
    case up, upRight, right, downRight, down, downLeft, left, upLeft, centre
  }

  /// A finger on the touchpad: x 0…1919 from the left, y 0…1079 from the top.
  public struct Touch: Sendable, Equatable {
    public var identifier: UInt8
    public var x: UInt16
    public var y: UInt16

    public init(identifier: UInt8, x: UInt16, y: UInt16) {
      self.identifier = identifier
      self.x = x
      self.y = y
    }
  }

  /// The sticks, 0…255 with 0 at the left and at the top; a stick at rest says 128.
  public var leftX: UInt8 = 128
  public var leftY: UInt8 = 128
  public var rightX: UInt8 = 128
  public var rightY: UInt8 = 128
  public var leftTrigger: UInt8 = 0
  public var rightTrigger: UInt8 = 0
  public var buttons: Buttons = []
  public var hat: Hat = .centre
  public var gyro: SIMD3<Int16> = .zero
  /// Lying flat and still: 1 g upwards, as accelerometers say the reaction.
  public var acceleration = SIMD3<Int16>(0, 8192, 0)
  /// The pad's clock in thirds of a microsecond; wraps.
  public var sensorTime: UInt32 = 0
  public var sequence: UInt8 = 0
  /// At most two fingers.
  public var touches: [Touch] = []

  public init() {}

  /// Lets the pad's clock run on.
  public mutating func advance(microseconds: Int) {
    sensorTime &+= UInt32(truncatingIfNeeded: 3 * microseconds)
    sequence &+= 1
  }

  /// Lays the still pad with its right side `degrees` down: 0 is flat, 90 stands on its right edge.
  public mutating func tiltRight(degrees: Double) {
    let angle = degrees * .pi / 180
    acceleration = SIMD3(raw(-sin(angle) * 8192), raw(cos(angle) * 8192), 0)
  }

  /// Lays the still pad with its far side `degrees` up: 0 is flat, 90 stands on its near edge.
  public mutating func tiltBack(degrees: Double) {
    let angle = degrees * .pi / 180
    acceleration = SIMD3(0, raw(cos(angle) * 8192), raw(-sin(angle) * 8192))
  }

  /// Turns the pad, in °/s by the right-hand rule about its own axes.
  public mutating func turn(degreesPerSecond rate: SIMD3<Double>) {
    gyro = SIMD3(raw(rate.x * 16), raw(rate.y * 16), raw(rate.z * 16))
  }

  private func raw(_ value: Double) -> Int16 { Int16(clamping: Int(value.rounded())) }

  /// The report's 64 bytes, its id first.
  public var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes[0] = 0x01
    bytes.replaceSubrange(
      1..<8, with: [leftX, leftY, rightX, rightY, leftTrigger, rightTrigger, sequence])
    bytes.put(buttons.rawValue | UInt32(hat.rawValue), at: 8)
    for axis in 0..<3 {
      bytes.put(gyro[axis], at: 16 + 2 * axis)
      bytes.put(acceleration[axis], at: 22 + 2 * axis)
    }
    bytes.put(sensorTime, at: 28)
    for finger in 0..<2 {
      let first = 33 + 4 * finger
      if finger < touches.count {
        let touch = touches[finger]
        bytes[first] = touch.identifier & 0x7F
        bytes[first + 1] = UInt8(truncatingIfNeeded: touch.x)
        bytes[first + 2] = UInt8(truncatingIfNeeded: touch.x >> 8 | touch.y << 4)
        bytes[first + 3] = UInt8(truncatingIfNeeded: touch.y >> 4)
      } else {
        bytes[first] = 0x80  // no contact
      }
    }
    bytes[53] = 0x1A  // charging, full
    return bytes
  }
}
