// The C library's functions, for this target: the only place that calls them.
internal import CMath

@_noLocks func exponential(_ x: Double) -> Double { _unsafePerformance { exp(x) } }

@_noLocks func naturalLogarithm(_ x: Double) -> Double { _unsafePerformance { log(x) } }
