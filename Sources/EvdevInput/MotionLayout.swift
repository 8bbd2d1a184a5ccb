internal import Motion

/// Which axes of a motion node are what, in which units and frame.
///
/// Sources: Documentation/input/event-codes.rst (INPUT_PROP_ACCELEROMETER: ABS_X…Z are acceleration, ABS_RX…RZ angular
/// rate; resolution in units per g and per degree a second) and the drivers named below.
struct MotionLayout: Sendable, Equatable {
  /// The first of three consecutive axes, and their units where the kernel does not say.
  struct Sensor: Sendable, Equatable {
    var firstAxis: UInt16
    /// Units per g, or per degree a second; nil where the axis' resolution says it.
    var unitsPerOne: Double?
  }

  var accelerometer: Sensor?
  var gyro: Sensor?
  var frame: MotionFrame
  var clock: Clock

  /// What the stamps of the sensor (MSC_TIMESTAMP) tell.
  enum Clock: Sendable {
    /// There are none.
    case none
    /// When the sensor was read, by a clock of its own.
    case own
    /// Only that there is a sample: the driver makes them up. hid-nintendo.c counts on by the reports' average distance
    /// in whole milliseconds, once a report too often in some versions; hid-steam.c by 4 ms whatever the distance.
    case madeUp
  }

  /// nil where the node has no motion sensor.
  init?(node: EvdevNode) {
    let model = node.knownModel
    frame = model?.frame ?? .sony
    clock =
      !node.miscellaneous.contains(MiscCode.timestamp)
      ? .none : model?.hasMadeUpClock == true ? .madeUp : .own
    func hasThree(_ first: UInt16) -> Bool {
      (first..<first + 3).allSatisfy { node.axes.contains($0) }
    }
    if model?.name == "wiimote" {
      // hid-wiimote-modules.c: no property, no resolution; about 100 units per g, and the Wii's own 8192·9/440 units
      // per degree a second.
      guard hasThree(AxisCode.rx), !hasThree(AxisCode.x) else { return nil }
      if node.name.hasSuffix("Accelerometer") {
        accelerometer = Sensor(firstAxis: AxisCode.rx, unitsPerOne: 100)
      } else if node.name.hasSuffix("Motion Plus") {
        gyro = Sensor(firstAxis: AxisCode.rx, unitsPerOne: 8192.0 * 9 / 440)
      } else {
        return nil
      }
      return
    }
    guard node.properties.contains(InputProperty.accelerometer) else { return nil }
    if hasThree(AxisCode.x) { accelerometer = Sensor(firstAxis: AxisCode.x) }
    if hasThree(AxisCode.rx) { gyro = Sensor(firstAxis: AxisCode.rx) }
    if accelerometer == nil && gyro == nil { return nil }
  }
}
