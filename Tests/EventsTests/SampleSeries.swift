import Events

/// Samples of a sensor as a host sees them, made from a formula: when each was truly taken, what the sensor's clock read
/// then, and when it arrived.
struct SampleSeries {
  struct Sample {
    /// When it was taken, on the host's clock.
    var truth: Nanoseconds
    var reading: Nanoseconds
    var arrival: Nanoseconds
  }

  private(set) var samples: [Sample] = []
  private var random: UInt64
  private var truth: Nanoseconds = 5_000_000_000
  private var reading = 1_000_000_000.0
  private var lastArrival: Nanoseconds = 0

  init(seed: UInt64 = 1) { random = seed }

  /// When the next sample is taken.
  var now: Nanoseconds { truth }

  /// Adds `count` samples.
  ///
  /// - Parameters:
  ///   - interval: between two samples, on the host's clock.
  ///   - drift: how much faster the host's clock runs than the sensor's, less 1.
  ///   - burst: how many samples arrive at once.
  ///   - delay: how late a report is, from a number in 0..<1 with equal chances.
  mutating func add(
    _ count: Int, every interval: Nanoseconds, drift: Double = 0, burst: Int = 1,
    delay: (Double) -> Nanoseconds = { _ in 0 }
  ) {
    for start in stride(from: 0, to: count, by: burst) {
      let size = min(burst, count - start)
      let sent = truth + interval * Nanoseconds(size - 1)
      // Reports do not overtake each other.
      lastArrival = max(lastArrival, sent + delay(fraction()))
      for _ in 0..<size {
        let rounded = Nanoseconds(reading / 1000) * 1000
        samples.append(Sample(truth: truth, reading: rounded, arrival: lastArrival))
        truth += interval
        reading += Double(interval) / (1 + drift)
      }
    }
  }

  /// Nothing is sent for a while; the sensor's clock advances by `reading`, by all of it if that is nil.
  mutating func pause(_ time: Nanoseconds, reading advance: Nanoseconds? = nil) {
    truth += time
    reading += Double(advance ?? time)
  }

  private mutating func fraction() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(random >> 11) / Double(1 << 53)
  }
}

extension Double {
  /// Nanoseconds as milliseconds.

}

/// The largest distance of two numbers' difference from `interval`, and the root of its mean square.
func spacingError(of times: some Sequence<Nanoseconds>, interval: Nanoseconds) -> (
  largest: Double, rms: Double
) {
  let list = Array(times)
  let errors = zip(list.dropFirst(), list).map { Double($0 - $1 - interval) }
  let squares = errors.reduce(0) { $0 + $1 * $1 } / Double(max(errors.count, 1))
  return (errors.map { Swift.abs($0) }.max() ?? 0, squares.squareRoot())
}
