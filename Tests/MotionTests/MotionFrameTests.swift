import Motion
import Testing

/// If these fail, a pad tilts the wrong way: each row is a physical direction written in both frames.
@Suite struct MotionFrameTests {
  static let right = Vector3(1, 0, 0)
  static let away = Vector3(0, 1, 0)
  static let up = Vector3(0, 0, 1)

  /// What each frame's own axes point to, in the device frame (from the drivers' documentation of their axes).
  static let axes: [(MotionFrame, x: Vector3, y: Vector3, z: Vector3)] = [
    (.phone, right, away, up),
    (.sony, right, up, -away),
    (.nintendo, away, -right, up),
    (.wiimote, -right, -away, up),
    // Left Joy-Con: its rail, on the right when upright, is away from the player, so its top is to the left.
    (.sidewaysLeft, away, -right, up),
    // Right Joy-Con: its rail is on the left when upright, so its top is to the right.
    (.sidewaysRight, -away, right, up),
  ]

  @Test(arguments: axes) func axesPointWhereTheDriverSays(
    frame: MotionFrame, x: Vector3, y: Vector3, z: Vector3
  ) {
    #expect(frame.deviceVector(Vector3(1, 0, 0)) == x)
    #expect(frame.deviceVector(Vector3(0, 1, 0)) == y)
    #expect(frame.deviceVector(Vector3(0, 0, 1)) == z)
  }

  @Test(arguments: MotionFrame.allCases) func everyFrameIsRightHanded(frame: MotionFrame) {
    let x = frame.deviceVector(Vector3(1, 0, 0))
    let y = frame.deviceVector(Vector3(0, 1, 0))
    #expect(x.cross(y) == frame.deviceVector(Vector3(0, 0, 1)))
  }

  @Test func motionPlusReportsYawRollPitch() {
    // Yaw is about up, roll about the long axis, pitch about the axis to the right; the last two count the other way.
    #expect(MotionFrame.wiimote.deviceRate(Vector3(1, 0, 0)) == Self.up)
    #expect(MotionFrame.wiimote.deviceRate(Vector3(0, 1, 0)) == -Self.away)
    #expect(MotionFrame.wiimote.deviceRate(Vector3(0, 0, 1)) == -Self.right)
    #expect(MotionFrame.sony.deviceRate(Vector3(0, 0, 1)) == -Self.away)
  }

  @Test func theNamesAreThoseOfTheLanguage() {
    #expect(MotionFrame(rawValue: "sideways-left") == .sidewaysLeft)
    #expect(MotionFrame(rawValue: "sony") == .sony)
    #expect(MotionFrame(rawValue: "Sony") == nil)
  }

  @Test func gravityAtRestIsMinusOneFaceUp() {
    // A DualSense at rest on a table: the reaction, 1 g, out of its face, on the driver's Y.
    let reaction = MotionFrame.sony.deviceVector(Vector3(0, 1, 0))
    #expect(MotionUnits.coreMotion(reaction: reaction) == Vector3(0, 0, -1))
    let metric = MotionUnits.coreMotion(reactionInMetresPerSecondSquared: Vector3(0, 0, 9.80665))
    #expect(metric.z == -1 && metric.x == 0)
    #expect(MotionUnits.radians(degrees: 180) == Double.pi)
    #expect(MotionUnits.degrees(radians: Double.pi) == 180)
  }
}
