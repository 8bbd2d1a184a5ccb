/// Conversions to the units of motion values: g, rad/s and rad.
@frozen
public enum MotionUnits {
  /// One g in m/s², as the SI defines it.
  @inlinable public static var standardGravity: Double { @_noLocks get { 9.80665 } }

  /// The radians in one degree.
  @inlinable public static var radiansPerDegree: Double { @_noLocks get { Double.pi / 180 } }

  @inlinable
  @_noLocks
  public static func radians(degrees: Double) -> Double { degrees * (Double.pi / 180) }

  @inlinable
  @_noLocks
  public static func degrees(radians: Double) -> Double { radians * (180 / Double.pi) }

  /// The acceleration of Core Motion (gravity's direction counts as positive: face up at rest reads z = −1)
  /// from that of Linux (the reaction: face up at rest reads z = +1). Both in g.
  @inlinable
  @_noLocks
  public static func coreMotion(reaction: Vector3) -> Vector3 { -reaction }

  /// As `coreMotion(reaction:)`, from m/s².
  @inlinable
  @_noLocks
  public static func coreMotion(reactionInMetresPerSecondSquared v: Vector3) -> Vector3 {
    v * (-1 / 9.80665)
  }
}
