internal import Events

/// What must be computed from a device's sensors because some line listens to it.
///
/// Not an `OptionSet`: its generic operations are closed to the INPUT thread.
struct DerivedControls: BitwiseCopyable {
  var accelerometerLength = false
  var gyroLength = false
  var magnetometerLength = false
  /// Gravity, acceleration without it, roll and pitch.
  var gravity = false

  @_noLocks init() {}

  var isEmpty: Bool {
    @_noLocks get { !(accelerometerLength || gyroLength || magnetometerLength || gravity) }
  }

  @_noLocks
  mutating func add(_ other: DerivedControls) {
    accelerometerLength = accelerometerLength || other.accelerometerLength
    gyroLength = gyroLength || other.gyroLength
    magnetometerLength = magnetometerLength || other.magnetometerLength
    gravity = gravity || other.gravity
  }

  /// Adds what `control` needs.
  mutating func add(_ control: ControlID) {
    switch control {
    case .accelerometerLength: accelerometerLength = true
    case .gyroLength: gyroLength = true
    case .magnetometerLength: magnetometerLength = true
    case .attitudeRoll, .attitudePitch: gravity = true
    default:
      let number = control.rawValue
      if number >= ControlID.gravityX.rawValue && number <= ControlID.accelerationLength.rawValue {
        gravity = true
      }
    }
  }
}
