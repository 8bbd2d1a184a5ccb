/// Three numbers along X, Y and Z.
@frozen
public struct Vector3: BitwiseCopyable, Equatable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  @inlinable
  @_noLocks
  public init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inlinable public static var zero: Vector3 { @_noLocks get { Vector3(0, 0, 0) } }

  @inlinable public var isFinite: Bool { @_noLocks get { x.isFinite && y.isFinite && z.isFinite } }

  @inlinable public var lengthSquared: Double { @_noLocks get { x * x + y * y + z * z } }

  @inlinable
  @_noLocks
  public static func + (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  @inlinable
  @_noLocks
  public static func - (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x - b.x, a.y - b.y, a.z - b.z)
  }

  @inlinable
  @_noLocks
  public static func * (a: Vector3, factor: Double) -> Vector3 {
    Vector3(a.x * factor, a.y * factor, a.z * factor)
  }

  @inlinable
  @_noLocks
  public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

  @inlinable
  @_noLocks
  public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  @inlinable
  @_noLocks
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }
}
