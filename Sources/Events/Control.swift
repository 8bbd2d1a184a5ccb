/// One control of the mapping language: its name, number, range and what it does when its device leaves.
public struct Control: Sendable {
  /// How a control behaves between two events.
  public enum Kind: Sendable {
    /// Holds a position; stays where it was when the device leaves.
    case continuous
    /// Is pressed and released; is released when the device leaves.
    case button
  }

  public let name: String
  public let id: ControlID
  public let range: ValueRange
  public let kind: Kind
  /// Whether the values are radians.
  public let isAngle: Bool

  init(
    _ name: String, _ id: ControlID, _ range: ValueRange, _ kind: Kind = .continuous,
    isAngle: Bool = false
  ) {
    self.name = name
    self.id = id
    self.range = range
    self.kind = kind
    self.isAngle = isAngle
  }
}

extension Control {
  /// Sticks, triggers, hat and buttons, in the order of their numbers.
  public static let gamepad: [Control] = {
    var list: [Control] = [
      Control("left.x", .leftX, .bipolar), Control("left.y", .leftY, .bipolar),
      Control("right.x", .rightX, .bipolar), Control("right.y", .rightY, .bipolar),
      Control("left.trigger", .leftTrigger, .unipolar),
      Control("right.trigger", .rightTrigger, .unipolar),
      Control("dpad.x", .dpadX, .bipolar), Control("dpad.y", .dpadY, .bipolar),
    ]
    let buttons = [
      "south", "east", "west", "north", "dpad.up", "dpad.down", "dpad.left", "dpad.right",
      "select", "start", "mode", "capture", "left.shoulder", "right.shoulder", "left.click",
      "right.click", "left.side", "right.side", "paddle1", "paddle2", "paddle3", "paddle4",
      "touchpad.click",
    ]
    for (index, name) in buttons.enumerated() {
      list.append(Control(name, ControlID.south.offset(by: index), .unipolar, .button))
    }
    return list
  }()

  /// Accelerometer, gyroscope, magnetometer, and what is computed from them.
  public static let motion: [Control] = {
    func vector(_ name: String, _ first: ControlID, _ end: Double) -> [Control] {
      ["x", "y", "z"].enumerated().map { index, axis in
        Control("\(name).\(axis)", first.offset(by: index), ValueRange(-end, end))
      } + [Control("\(name).length", first.offset(by: 3), ValueRange(0, end))]
    }
    let turn = ValueRange(-Double.pi, Double.pi)
    return vector("accelerometer", .accelerometerX, 1) + vector("gyro", .gyroX, 10)
      + vector("magnetometer", .magnetometerX, 100) + vector("gravity", .gravityX, 1)
      + vector("acceleration", .accelerationX, 4) + [
        Control("attitude.roll", .attitudeRoll, turn, isAngle: true),
        Control(
          "attitude.pitch", .attitudePitch, ValueRange(-Double.pi / 2, Double.pi / 2), isAngle: true
        ),
        Control("attitude.yaw", .attitudeYaw, turn, isAngle: true),
        Control("quaternion.w", .quaternionW, .bipolar),
        Control("quaternion.x", .quaternionW.offset(by: 1), .bipolar),
        Control("quaternion.y", .quaternionW.offset(by: 2), .bipolar),
        Control("quaternion.z", .quaternionW.offset(by: 3), .bipolar),
        Control("gyro.world.yaw", .gyroWorldYaw, ValueRange(-10, 10)),
      ]
  }()

  /// The ten fingers of a touchpad: x to the right, y up, and whether the finger is down.
  public static let touch: [Control] = (0..<10).flatMap { finger in
    let first = ControlID.touchX(finger)
    return [
      Control("touch\(finger).x", first, .unipolar),
      Control("touch\(finger).y", first.offset(by: 1), .unipolar),
      Control("touch\(finger).down", first.offset(by: 2), .unipolar, .button),
    ]
  }

  /// Every control of the language that is not MIDI and not a raw code.
  public static let all: [Control] = gamepad + motion + touch

  private static let byName: [String: Control] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name, $0) })

  private static let byID: [ControlID: Control] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.id, $0) })

  /// The control that the language calls `name`, or nil.
  public static func named(_ name: String) -> Control? { byName[name] }

  /// The control with number `id`, or nil for raw codes.
  public static func numbered(_ id: ControlID) -> Control? { byID[id] }
}
