/// The axes that a sensor's numbers come in, and how to turn them into the device frame.
///
/// The device frame is that of Core Motion: X to the right, Y to the top, Z out of the face; a pad lies like a phone,
/// with Y away from the player and Z up. Every conversion is a proper rotation, so it holds for angular rates too,
/// and it changes no sign convention: a reaction stays a reaction (see `MotionUnits.coreMotion(reaction:)`).
/// The raw value is the name in the mapping language (`frame=sony`).
public enum MotionFrame: String, Sendable, CaseIterable {
  /// Already the device frame: phones, tablets, laptops, IIO.
  case phone
  /// X right, Y out of the face, Z towards the player: hid-playstation, hid-sony, hid-steam.
  case sony
  /// X to the triggers, Y left, Z out of the face: hid-nintendo.
  case nintendo
  /// X left, Y to the player, Z out of the face: hid-wiimote.
  case wiimote
  /// A left Joy-Con held sideways (rail away from the player), from the device frame of the one held upright.
  case sidewaysLeft = "sideways-left"
  /// A right Joy-Con held sideways (rail away from the player), from the device frame of the one held upright.
  case sidewaysRight = "sideways-right"

  /// An acceleration or a magnetic field `v` of this frame, in the device frame.
  @_noLocks
  public func deviceVector(_ v: Vector3) -> Vector3 {
    switch self {
    case .phone: v
    case .sony: Vector3(v.x, -v.z, v.y)
    case .nintendo, .sidewaysLeft: Vector3(-v.y, v.x, v.z)
    case .wiimote: Vector3(-v.x, -v.y, v.z)
    case .sidewaysRight: Vector3(v.y, -v.x, v.z)
    }
  }

  /// An angular rate of this frame, in the device frame, right-hand rule.
  ///
  /// It differs from `deviceVector` for the Wiimote alone, whose MotionPlus reports yaw, roll and pitch
  /// (ABS_RX, ABS_RY, ABS_RZ) as x, y and z.
  @_noLocks
  public func deviceRate(_ v: Vector3) -> Vector3 {
    switch self {
    case .wiimote: Vector3(-v.z, -v.y, v.x)
    case .phone, .sony, .nintendo, .sidewaysLeft, .sidewaysRight: deviceVector(v)
    }
  }
}
