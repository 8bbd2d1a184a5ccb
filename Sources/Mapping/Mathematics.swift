// The C library's functions, for this target: the only place that calls them.
internal import CMath

@_noLocks func exponential(_ x: Double) -> Double { _unsafePerformance { exp(x) } }

@_noLocks func naturalLogarithm(_ x: Double) -> Double { _unsafePerformance { log(x) } }

@_noLocks func power(_ x: Double, _ exponent: Double) -> Double {
  _unsafePerformance { pow(x, exponent) }
}

@_noLocks func squareRoot(_ x: Double) -> Double { _unsafePerformance { sqrt(x) } }

/// The amplitude of a level in decibels, 1 for 0 dB.
@_noLocks func amplitude(decibels: Double) -> Double { power(10, decibels / 20) }
