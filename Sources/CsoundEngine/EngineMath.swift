import Glibc

/// The functions of libm that the engine needs.
enum EngineMath {
  /// eˣ.
  static func exponential(_ x: Double) -> Double { exp(x) }
}
