import Events
import Mapping
import Testing

/// If these fail, tilting a pad does not move what the mapping ties to its tilt.
struct DerivedMotionTests {
  private func player(_ controls: [String]) -> Player {
    let player = Player(
      MappingDescription(
        controls.map { line($0, to: [.channel($0)]) },
        devices: [DeviceDeclaration(name: "motion", role: .motion)]))
    player.plug()
    return player
  }

  private func values(_ words: [String]) -> [String: Double] {
    var values: [String: Double] = [:]
    for word in words {
      let parts = word.split(separator: " ")
      values[String(parts[0])] = Double(String(parts[1]))
    }
    return values
  }

  @Test func lengthsAreThoseOfTheVectors() {
    let player = player(["accelerometer.length", "gyro.length", "magnetometer.length"])
    player.frame([
      (.accelerometerX, 2), (.accelerometerX.offset(by: 1), 3),
      (.accelerometerX.offset(by: 2), 6), (.gyroX, -3), (.gyroX.offset(by: 2), 4),
    ])
    #expect(player.taken() == ["accelerometer.length 7", "gyro.length 5"])
    player.frame([(.magnetometerX, -20)])
    #expect(player.taken() == ["magnetometer.length 20"])
  }

  @Test func tiltComesFromTheFirstSample() {
    let player = player(["attitude.roll", "attitude.pitch", "gravity.z", "acceleration.length"])
    // The right side down by 30°: gravity has (sin 30°, 0, −cos 30°).
    player.frame([(.accelerometerX, 0.5), (.accelerometerX.offset(by: 2), -0.75.squareRoot())])
    let values = values(player.taken())
    #expect(abs((values["attitude.roll"] ?? 9) - Double.pi / 6) < 1e-9)
    #expect(abs((values["gravity.z"] ?? 9) + 0.75.squareRoot()) < 1e-9)
    #expect(abs(values["acceleration.length"] ?? 0) < 1e-9)
    #expect(abs(values["attitude.pitch"] ?? 0) < 1e-9)
  }

  @Test func pitchIsPositiveWithTheTopUp() {
    let player = player(["attitude.pitch"])
    player.frame([(.accelerometerX.offset(by: 1), -1)])
    let values = values(player.taken())
    #expect(abs((values["attitude.pitch"] ?? 9) - Double.pi / 2) < 1e-6)
  }

  @Test func buttonsDoNotDisturbTheEstimate() {
    let player = player(["attitude.roll"])
    player.frame([(.accelerometerX.offset(by: 2), -1)])
    _ = player.taken()
    player.frame([(.south, 1)])
    player.frame([(.south, 0)])
    #expect(player.taken() == [])
  }
}
