internal import Events
internal import Motion

// Controls that are computed from a device's sensors, at the end of a frame and only where a line listens.
extension RuntimeCore {
  @_noLocks
  mutating func deriveControls(_ end: ControlEvent, _ device: Int) {
    let needed = derived[device]
    if needed.isEmpty { return }
    if needed.accelerometerLength {
      setLength(of: .accelerometerX, .accelerometerLength, device, end.time)
    }
    if needed.gyroLength { setLength(of: .gyroX, .gyroLength, device, end.time) }
    if needed.magnetometerLength {
      setLength(of: .magnetometerX, .magnetometerLength, device, end.time)
    }
    // A frame with only the sensor's clock says that the sensors read the same again.
    let reported = devices[device].sensorReported || end.sensorTime != .min
    if needed.gravity && reported { estimate(end, device) }
    devices[device].sensorReported = false
  }

  @_noLocks
  private mutating func setLength(
    of vector: ControlID, _ control: ControlID, _ device: Int, _ time: Nanoseconds
  ) {
    let square = devices[device].vector(vector.rawValue).lengthSquared
    change(control, to: squareRoot(square), device, time: time)
  }

  @_noLocks
  private mutating func estimate(_ end: ControlEvent, _ device: Int) {
    let values = devices + device
    let acceleration = values.pointee.vector(ControlID.accelerometerX.rawValue)
    // Nothing yet but a gyroscope: a direction cannot be told.
    if acceleration.lengthSquared == 0 { return }
    let sensorTime =
      end.sensorTime != .min ? end.sensorTime : values.pointee.sensorTime
    values.pointee.estimator.update(
      accelerometer: acceleration,
      gyro: values.pointee.hasGyro ? values.pointee.vector(ControlID.gyroX.rawValue) : nil,
      time: end.time, sensorTime: sensorTime)
    let gravity = values.pointee.estimator.gravity
    let linear = values.pointee.estimator.acceleration
    let roll = values.pointee.estimator.roll
    let pitch = values.pointee.estimator.pitch
    set(.gravityX, gravity, device, end.time)
    set(.accelerationX, linear, device, end.time)
    change(.gravityLength, to: squareRoot(gravity.lengthSquared), device, time: end.time)
    change(.accelerationLength, to: squareRoot(linear.lengthSquared), device, time: end.time)
    change(.attitudeRoll, to: roll, device, time: end.time)
    change(.attitudePitch, to: pitch, device, time: end.time)
  }

  @_noLocks
  private mutating func set(
    _ first: ControlID, _ vector: Vector3, _ device: Int, _ time: Nanoseconds
  ) {
    change(first, to: vector.x, device, time: time)
    change(first.offset(by: 1), to: vector.y, device, time: time)
    change(first.offset(by: 2), to: vector.z, device, time: time)
  }
}
