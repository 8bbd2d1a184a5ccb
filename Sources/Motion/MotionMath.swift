import CMath

/// The functions of libm that this target calls, and the only file that calls them.
///
/// They neither allocate nor lock; the compiler cannot know that of C, hence `_unsafePerformance`.
enum MotionMath {
  @_noLocks
  static func squareRoot(_ x: Double) -> Double { _unsafePerformance { CMath.sqrt(x) } }

  @_noLocks
  static func sine(_ x: Double) -> Double { _unsafePerformance { CMath.sin(x) } }

  @_noLocks
  static func cosine(_ x: Double) -> Double { _unsafePerformance { CMath.cos(x) } }

  /// The angle whose sine is `x`, which is limited to −1…1.
  @_noLocks
  static func arcSine(_ x: Double) -> Double {
    let limited = x > 1 ? 1 : x < -1 ? -1 : x
    return _unsafePerformance { CMath.asin(limited) }
  }

  @_noLocks
  static func arcTangent(_ y: Double, _ x: Double) -> Double {
    _unsafePerformance { CMath.atan2(y, x) }
  }
}
