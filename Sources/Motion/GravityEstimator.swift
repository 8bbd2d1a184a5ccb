public import Events

/// Which way is down, from an accelerometer and, where there is one, a gyroscope.
///
/// A low-pass filter of the accelerometer that turns along with the gyroscope: fast turns come from the gyroscope,
/// the long run from gravity. It knows nothing of the heading, so it gives roll and pitch, and no yaw.
/// Owned by one thread; never allocates.
public struct GravityEstimator: BitwiseCopyable, Sendable {
  /// The direction of gravity in the device frame, length 1: (0, 0, −1) face up, as in Core Motion.
  public private(set) var gravity = Vector3(0, 0, -1)
  /// What moves the device apart from gravity, in g.
  public private(set) var acceleration = Vector3.zero

  /// The low-pass state. It is not normalised, so that it can pass through 0 when the device is turned over.
  var filtered = Vector3(0, 0, -1)
  var lastTime = Nanoseconds.none
  var lastSensorTime = Nanoseconds.none
  var isStarted = false

  /// Seconds in which the accelerometer's word counts 63 %, while the gyroscope tells the turns.
  static var timeConstant: Double { @_noLocks get { 0.5 } }
  /// The same without a gyroscope: short, since all of a turn must come through the filter.
  static var timeConstantWithoutGyro: Double { @_noLocks get { 0.1 } }
  /// A longer silence than this, in nanoseconds, says nothing about the turns in it.
  static var longestGap: Nanoseconds { @_noLocks get { 250_000_000 } }
  /// At this distance from 1 g (in g) an accelerometer counts half: something besides gravity acts on it.
  static var halfWeightDeviation: Double { @_noLocks get { 0.1 } }
  /// Below this length squared (in g²) a vector has no direction worth keeping: free fall.
  static var shortestSquared: Double { @_noLocks get { 1e-4 } }

  @_noLocks
  public init() {}

  /// Takes one sample; repeat the last value of a sensor that did not report in this frame.
  ///
  /// The first sample, and the first after a gap of more than 0.25 s, is taken as it is. Samples with a number that
  /// is not finite are ignored.
  /// - Parameters:
  ///   - accelerometer: in g, Core Motion's sign (face up at rest: z = −1), device frame.
  ///   - gyro: in rad/s, right-hand rule, device frame; nil where there is no gyroscope.
  ///   - time: when the kernel saw it.
  ///   - sensorTime: the sensor's own clock or `.none`; preferred for the time step.
  @_noLocks
  public mutating func update(
    accelerometer: Vector3, gyro: Vector3?, time: Nanoseconds, sensorTime: Nanoseconds
  ) {
    let lengthSquared = accelerometer.lengthSquared
    // Also false for NaN, and for numbers so large that their squares are infinite.
    guard lengthSquared < .infinity else { return }
    let step = timeStep(time: time, sensorTime: sensorTime)
    lastTime = time
    lastSensorTime = sensorTime

    if !isStarted || step < 0 {
      // Without a direction to start from the last one stays, until a sample has one.
      isStarted = lengthSquared > Self.shortestSquared
      if isStarted {
        gravity = accelerometer * (1 / MotionMath.squareRoot(lengthSquared))
        filtered = gravity
      }
    } else {
      var constant = Self.timeConstantWithoutGyro
      if let gyro {
        constant = Self.timeConstant
        turn(by: gyro, for: step)
      }
      let deviation = (MotionMath.squareRoot(lengthSquared) - 1) / Self.halfWeightDeviation
      let weight = step / (constant + step) / (1 + deviation * deviation)
      filtered = filtered + (accelerometer - filtered) * weight
      let length = filtered.lengthSquared
      if length > Self.shortestSquared {
        gravity = filtered * (1 / MotionMath.squareRoot(length))
      }
    }
    acceleration = accelerometer - gravity
  }

  /// The turn about Y, −π…π: positive when the right side goes down.
  public var roll: Double {
    // 0 − z and x + 0, because a negative zero would turn 0 into ±π at the poles of the angle.
    @_noLocks get { MotionMath.arcTangent(gravity.x + 0, 0 - gravity.z) }
  }

  /// The turn about X, −π/2…π/2: positive when the top goes up.
  public var pitch: Double {
    @_noLocks get { MotionMath.arcSine(0 - gravity.y) }
  }

  /// Seconds since the last sample, or −1 when it is too long ago, or its clock was set back.
  @_noLocks
  private func timeStep(time: Nanoseconds, sensorTime: Nanoseconds) -> Double {
    let hasSensorClock = sensorTime != .none && lastSensorTime != .none
    let now = hasSensorClock ? sensorTime : time
    let last = hasSensorClock ? lastSensorTime : lastTime
    let (step, overflow) = now.subtractingReportingOverflow(last)
    if overflow || step < 0 || step > Self.longestGap { return -1 }
    return Double(step) * 1e-9
  }

  /// Turns what is known of gravity as a device that turns at `rate` sees it: against the turn.
  @_noLocks
  private mutating func turn(by rate: Vector3, for seconds: Double) {
    let rateSquared = rate.lengthSquared
    guard rateSquared > 0, rateSquared < .infinity else { return }
    let speed = MotionMath.squareRoot(rateSquared)
    let axis = rate * (1 / speed)
    let angle = speed * seconds
    let sine = MotionMath.sine(angle)
    let cosine = MotionMath.cosine(angle)
    // Rodrigues' formula for −angle.
    filtered =
      filtered * cosine - axis.cross(filtered) * sine
      + axis * (axis.dot(filtered) * (1 - cosine))
    let length = filtered.lengthSquared
    if length > Self.shortestSquared {
      gravity = filtered * (1 / MotionMath.squareRoot(length))
    }
  }
}
