import Events

/// When gestures are made: at random phases of the audio period, never so close that two of them fall into one.
struct GestureRhythm {
  private let least: Nanoseconds
  private let most: Nanoseconds
  private var random: NoiseSource

  /// - Parameters:
  ///   - period: the time of one audio period.
  ///   - seed: rhythms of different seeds differ; the same seed gives the same rhythm.
  init(period: Nanoseconds, seed: UInt64) {
    least = max(10_000_000, period * 11 / 10)
    most = least + max(10_000_000, period)
    random = NoiseSource(seed: seed)
  }

  /// The mean of `next`.
  var meanPause: Nanoseconds { (least + most) / 2 }

  /// The time until the next gesture.
  mutating func next() -> Nanoseconds { random.between(least, most) }
}

/// How long after a gesture its event is delivered: not at all, or at random up to `most`.
struct DeliveryDelay {
  private let most: Nanoseconds
  private var random = NoiseSource(seed: 7)

  init(upTo most: Nanoseconds) { self.most = most }

  mutating func next() -> Nanoseconds { most == 0 ? 0 : random.between(0, most) }
}
