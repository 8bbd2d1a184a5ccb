import Events
import Motion
import Testing

/// If these fail, tilting a pad plays the wrong note, or none after a knock.
@Suite struct GravityEstimatorTests {
  static let half = 0.5.squareRoot()
  static let sin60 = 0.75.squareRoot()

  /// Poses worked out by hand: what an accelerometer reads (g, Core Motion's sign), and Core Motion's angles.
  static let poses: [(name: String, Vector3, roll: Double, pitch: Double)] = [
    ("flat, face up", Vector3(0, 0, -1), 0, 0),
    ("tilted 30° to the right", Vector3(0.5, 0, -sin60), .pi / 6, 0),
    ("tilted 90° to the left", Vector3(-1, 0, 0), -.pi / 2, 0),
    ("nose up 45°", Vector3(0, -half, -half), 0, .pi / 4),
    ("nose straight down", Vector3(0, 1, 0), 0, -.pi / 2),
    ("nose straight up, with signed zeros", Vector3(-0.0, -1, 0.0), 0, .pi / 2),
    ("upside down", Vector3(0, 0, 1), .pi, 0),
    ("upside down, with a signed zero", Vector3(-0.0, 0, 1), .pi, 0),
    // Pitch 45° first, then roll 90° about the device's own Y: gravity lies on −Y and +X.
    ("nose up 45°, then rolled 90° right", Vector3(half, -half, 0), .pi / 2, .pi / 4),
  ]

  @Test(arguments: poses) func firstSampleIsExact(
    name: String, a: Vector3, roll: Double, pitch: Double
  ) {
    var estimator = GravityEstimator()
    estimator.update(accelerometer: a, gyro: nil, time: 5, sensorTime: .none)
    #expect(abs(estimator.roll - roll) < 1e-12, "\(name): \(estimator.roll)")
    #expect(abs(estimator.pitch - pitch) < 1e-12, "\(name): \(estimator.pitch)")
    #expect(distance(estimator.gravity, a) < 1e-12)
    #expect(estimator.acceleration.lengthSquared < 1e-24)
  }

  @Test func gravityHasLengthOneAndTheRestIsAcceleration() {
    var estimator = GravityEstimator()
    estimator.update(accelerometer: Vector3(0, 0, -1.5), gyro: nil, time: 0, sensorTime: .none)
    #expect(estimator.gravity == Vector3(0, 0, -1))
    #expect(estimator.acceleration == Vector3(0, 0, -0.5))
  }

  /// A full turn in 2 s about each axis, the accelerometer deaf to it: only the gyroscope can follow.
  @Test func turnsAtConstantRateAreFollowedByTheGyroscope() {
    let rate = Double.pi
    for (axis, expected) in [
      (Vector3(0, 1, 0), Vector3(1, 0, 0)),  // rolled right by 90°: gravity on +X
      (Vector3(1, 0, 0), Vector3(0, -1, 0)),  // nose up by 90°: gravity on −Y
      (Vector3(0, 0, 1), Vector3(0, 0, -1)),  // turned on the table: no change
    ] {
      var estimator = GravityEstimator()
      estimator.update(
        accelerometer: Vector3(0, 0, -1), gyro: .zero, time: 0, sensorTime: .none)
      for index in 1...125 {  // half a second at 250 Hz: a quarter turn
        let angle = rate * Double(index) * 0.004
        // A device that turns about a fixed axis: gravity turns the other way round in its frame.
        let seen = turned(Vector3(0, 0, -1), about: axis, by: -angle)
        estimator.update(
          accelerometer: seen, gyro: axis * rate, time: Nanoseconds(index) * 4_000_000,
          sensorTime: .none)
        #expect(distance(estimator.gravity, seen) < 1e-9)
      }
      #expect(distance(estimator.gravity, expected) < 1e-9)
    }
  }

  @Test func aKnockHardlyTiltsWhenThereIsAGyroscope() {
    var estimator = GravityEstimator()
    for index in 0..<10 {  // 10 samples of 3 g sideways in 40 ms
      let a = index == 0 ? Vector3(0, 0, -1) : Vector3(3, 0, -1)
      estimator.update(
        accelerometer: a, gyro: .zero, time: Nanoseconds(index) * 4_000_000, sensorTime: .none)
    }
    #expect(abs(estimator.roll) < 0.01)
    #expect(abs(estimator.acceleration.x - 3) < 0.02)
  }

  @Test func anOffsetOfTheGyroscopeTiltsByRateTimesTimeConstantOnly() {
    var estimator = GravityEstimator()
    let offset = MotionUnits.radians(degrees: 1)
    for index in 0...2500 {
      estimator.update(
        accelerometer: Vector3(0, 0, -1), gyro: Vector3(0, offset, 0),
        time: Nanoseconds(index) * 4_000_000, sensorTime: .none)
    }
    // In balance the lag is the offset times the time constant of 0.5 s: half a degree.
    #expect(abs(estimator.roll - offset / 2) < MotionUnits.radians(degrees: 0.02))
  }

  @Test func anAccelerometerAloneReachesANewTilt() {
    var estimator = GravityEstimator()
    estimator.update(accelerometer: Vector3(0, 0, -1), gyro: nil, time: 0, sensorTime: .none)
    for index in 1...100 {
      estimator.update(
        accelerometer: Vector3(0.5, 0, -Self.sin60), gyro: nil,
        time: Nanoseconds(index) * 10_000_000, sensorTime: .none)
    }
    #expect(abs(estimator.roll - .pi / 6) < 0.001)
  }

  @Test func turnedOverInOneStepItFollows() {
    var estimator = GravityEstimator()
    estimator.update(accelerometer: Vector3(0, 0, -1), gyro: nil, time: 0, sensorTime: .none)
    for index in 1...200 {
      estimator.update(
        accelerometer: Vector3(0, 0, 1), gyro: nil, time: Nanoseconds(index) * 10_000_000,
        sensorTime: .none)
    }
    #expect(abs(estimator.gravity.z - 1) < 1e-6)
  }

  @Test func theSensorsClockCountsWhereThereIsOne() {
    var estimator = GravityEstimator()
    let rate = Vector3(0, 1, 0)
    estimator.update(
      accelerometer: Vector3(0, 0, -1), gyro: rate, time: 0, sensorTime: 1_000_000_000)
    // The kernel saw it 20 ms later, the sensor measured it 4 ms later.
    estimator.update(
      accelerometer: .zero, gyro: rate, time: 20_000_000, sensorTime: 1_004_000_000)
    #expect(abs(estimator.roll - 0.004) < 1e-12)
  }

  @Test func gapsStartAnew() {
    let tilted = Vector3(0.5, 0, -Self.sin60)
    var estimator = GravityEstimator()
    estimator.update(accelerometer: Vector3(0, 0, -1), gyro: .zero, time: 0, sensorTime: .none)
    estimator.update(accelerometer: tilted, gyro: .zero, time: 250_000_001, sensorTime: .none)
    #expect(abs(estimator.roll - .pi / 6) < 1e-12)

    // A sensor that was reset counts from 0 again.
    estimator = GravityEstimator()
    estimator.update(accelerometer: Vector3(0, 0, -1), gyro: .zero, time: 0, sensorTime: 9_000_000)
    estimator.update(accelerometer: tilted, gyro: .zero, time: 4_000_000, sensorTime: 4_000)
    #expect(abs(estimator.roll - .pi / 6) < 1e-12)
  }

  @Test func freeFallAndBrokenNumbersKeepTheLastAnswer() {
    var estimator = GravityEstimator()
    estimator.update(accelerometer: .zero, gyro: nil, time: 0, sensorTime: .none)
    #expect(estimator.gravity == Vector3(0, 0, -1))
    #expect(estimator.roll == 0 && estimator.pitch == 0)

    // The first sample with a direction is the exact one, after a fall that began before it.
    estimator.update(
      accelerometer: Vector3(1, 0, 0), gyro: nil, time: 4_000_000, sensorTime: .none)
    #expect(estimator.gravity == Vector3(1, 0, 0))

    let bad: [Double] = [.nan, .infinity, -.infinity, 1e300, 0, -0.0, .leastNonzeroMagnitude]
    var time: Nanoseconds = 8_000_000
    for x in bad {
      for y in bad {
        for rate in bad {
          for later in [Nanoseconds(0), 1, 4_000_000, 1_000_000_000] {
            time += later
            estimator.update(
              accelerometer: Vector3(x, y, 0), gyro: Vector3(rate, y, x), time: time,
              sensorTime: .none)
            #expect(estimator.gravity.isFinite && estimator.acceleration.isFinite)
            #expect(abs(estimator.gravity.lengthSquared - 1) < 1e-9)
            #expect(estimator.roll.isFinite && estimator.pitch.isFinite)
          }
        }
      }
    }
  }

  @Test func noiseOfARealSensorIsSmoothed() {
    var generator = SplitMix(state: 7)
    var estimator = GravityEstimator()
    var worst = 0.0
    for index in 0..<5000 {
      let noise = { (generator.unit() - 0.5) * 0.1 }  // ±50 mg, several times that of a pad
      let a = Vector3(noise(), noise(), -1 + noise())
      estimator.update(
        accelerometer: a, gyro: .zero, time: Nanoseconds(index) * 4_000_000, sensorTime: .none)
      if index > 500 { worst = max(worst, abs(estimator.roll), abs(estimator.pitch)) }
    }
    // The filter averages about 250 samples: ±29 mg RMS becomes under 3 mg RMS; five times that never shows.
    #expect(worst < 0.015)
    #expect(worst > 0)
  }

  private func distance(_ a: Vector3, _ b: Vector3) -> Double {
    (a - b).lengthSquared.squareRoot()
  }

  /// `v` turned by a quarter-exact rotation about a coordinate axis, written out per axis.
  private func turned(_ v: Vector3, about axis: Vector3, by angle: Double) -> Vector3 {
    let (s, c) = (sine(angle), sine(angle + .pi / 2))
    if axis.x == 1 { return Vector3(v.x, c * v.y - s * v.z, s * v.y + c * v.z) }
    if axis.y == 1 { return Vector3(c * v.x + s * v.z, v.y, -s * v.x + c * v.z) }
    return Vector3(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
  }

  /// The sine's series: these tests stand without libm.
  private func sine(_ x: Double) -> Double {
    var term = x
    var sum = x
    for n in 1...20 {
      term *= -x * x / Double(2 * n * (2 * n + 1))
      sum += term
    }
    return sum
  }
}

/// A small seeded generator, so that noise is the same in every run (Steele et al., SplitMix64).
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
