import EvdevInput
import Events
import LabSupport
import Testing

extension Lab {
  /// Tilt is what most mappings play with: a wrong axis, sign or unit is heard at once.
  @Suite struct MotionReading {
    /// One unit of the node: 8192 to the g, 1024 to the °/s.
    private let gravityStep = 1.0 / 8192
    private let rateStep = Double.pi / 180 / 1024

    @Test func tiltingBy90DegreesReadsAsCoreMotionSays() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.motion))
      func isRead(_ x: Double, _ y: Double, _ z: Double) -> Bool {
        recording.read { recording in
          let now = [0, 1, 2].map { axis in
            recording.values(.accelerometerX.offset(by: axis)).last ?? .infinity
          }
          return abs(now[0] - x) <= gravityStep && abs(now[1] - y) <= gravityStep
            && abs(now[2] - z) <= gravityStep
        }
      }
      // sin and cos of 0°, 30°, 60° and 90°.
      let half = 0.5
      let root = 0.866_025_403_784
      for (degrees, sine, cosine) in [
        (0.0, 0.0, 1.0), (30, half, root), (60, root, half), (90, 1, 0),
      ] {
        // Flat reads (0, 0, −1); with the right side down, gravity goes to +x.
        try pad.send { $0.tiltRight(degrees: degrees) }
        #expect(isRead(sine, 0, -cosine), "right \(degrees)°: \(recording.events.suffix(8))")
      }
      for (degrees, sine, cosine) in [
        (0.0, 0.0, 1.0), (30, half, root), (60, root, half), (90, 1, 0),
      ] {
        // Standing on its near edge, gravity goes to −y.
        try pad.send { $0.tiltBack(degrees: degrees) }
        #expect(isRead(0, -sine, -cosine), "back \(degrees)°: \(recording.events.suffix(8))")
      }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func turningReadsInRadiansASecondByTheRightHandRule() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.motion))
      // The pad's own axes: right, up, towards the player; the device frame's: right, away from the player, up.
      for (turn, axis, sign) in [
        (SIMD3<Double>(90, 0, 0), 0, 1.0), (SIMD3(0, 90, 0), 2, 1), (SIMD3(0, 0, 90), 1, -1),
      ] {
        try pad.send { $0.turn(degreesPerSecond: turn) }
        #expect(
          recording.read { recording in
            (0..<3).allSatisfy { index in
              let value = recording.values(.gyroX.offset(by: index)).last ?? .infinity
              let wanted = index == axis ? sign * Double.pi / 2 : 0
              return abs(value - wanted) <= rateStep
            }
          }, "\(turn)")
      }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func eachSampleCarriesThePadsOwnTime() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.motion))
      let steps = [4000, 4000, 1000, 7321, 250]
      for (index, step) in steps.enumerated() {
        try pad.send(afterMicroseconds: step) { $0.gyro = [Int16(100 * index), 0, 0] }
        #expect(recording.read { $0.count(.frameEnd) == index + 1 })
      }
      var times: [Nanoseconds] = []
      for event in recording.events where event.control == .gyroX { times.append(event.sensorTime) }
      let differences = zip(times.dropFirst(), times).map { ($0 - $1) / 1000 }
      #expect(differences == [4000, 1000, 7321, 250])
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }
  }
}
