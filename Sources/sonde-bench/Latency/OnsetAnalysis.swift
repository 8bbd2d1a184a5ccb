/// The gestures of a run, set against the jumps that they made in the sound.
struct OnsetAnalysis: Equatable {
  /// From each gesture that was heard to its sound, in frames, in their order.
  var latencies: [Double] = []
  /// Those of them that no interruption came near.
  var undisturbed: [Double] = []
  /// Gestures that were not heard: the next one came before the instrument looked.
  var unheard = 0
  /// Jumps that no gesture made: gaps in the sound.
  var strange = 0

  init() {}

  /// - Parameters:
  ///   - gestures: the frames at which gestures 0, 1, 2 … were made; they never decrease.
  ///   - steps: what was recorded, in order.
  ///   - first: gestures before this one warmed the instrument up and do not count.
  ///   - interruptions: the frames at which the server told of an xrun, in order.
  ///   - reach: an interruption disturbs the gestures within so many frames of it.
  ///   - grace: how many frames a sound may come before its gesture. An instrument that applies an event in the
  ///     period that it is computing gives it the period's first frames, which JACK has numbered before.
  init(
    gestures: [Double], steps: [Step], countingFrom first: Int = 0, interruptions: [Int64] = [],
    reach: Int = 0, grace: Int = 1
  ) {
    // The first interruption that is not long over.
    var nearest = 0
    // Gestures that were made by now, and the first that may still be heard.
    var made = 0
    var next = 0
    for step in steps {
      while made < gestures.count, gestures[made] <= Double(step.frame) + Double(grace) {
        made += 1
      }
      let heard = StepCode.code(of: step.level).flatMap { OnsetAnalysis.last($0, of: made) }
      guard let heard, heard >= next else {
        if next > first && next < gestures.count { strange += 1 }
        continue
      }
      unheard += max(heard, first) - max(next, first)
      next = heard + 1
      if heard < first { continue }
      let latency = Double(step.frame) - gestures[heard]
      latencies.append(latency)
      while nearest < interruptions.count,
        Double(interruptions[nearest]) < gestures[heard] - Double(reach)
      {
        nearest += 1
      }
      let isDisturbed =
        nearest < interruptions.count
        && Double(interruptions[nearest]) <= Double(step.frame) + Double(reach)
      if !isDisturbed { undisturbed.append(latency) }
    }
    unheard += gestures.count - min(max(next, first), gestures.count)
  }

  // The last gesture of a code among the first `made`.
  private static func last(_ code: Int, of made: Int) -> Int? {
    let back = (StepCode.code(of: made - 1 + StepCode.count) - code + StepCode.count)
    let gesture = made - 1 - back % StepCode.count
    return gesture < 0 ? nil : gesture
  }
}

/// What a musician feels of many latencies: how long they are, and how unequal. In the unit of the latencies.
struct Spread: Equatable {
  let count: Int
  let mean: Double
  /// Standard deviation.
  let deviation: Double
  let least: Double
  let greatest: Double
  private let sorted: [Double]

  init(_ values: [Double]) {
    sorted = values.sorted()
    count = values.count
    let total = values.reduce(0, +)
    let mean = total / Double(values.count)
    self.mean = mean
    deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count))
      .squareRoot()
    least = sorted.first ?? .nan
    greatest = sorted.last ?? .nan
  }

  /// From the shortest to the longest.
  var range: Double { greatest - least }

  /// The range without the outermost parts of a thousand on both sides, such as 5 for 0.5 % to 99.5 %.
  func range(withoutOutermost thousandths: Int) -> Double {
    if sorted.isEmpty { return .nan }
    let cut = sorted.count * thousandths / 1000
    return sorted[sorted.count - 1 - cut] - sorted[cut]
  }
}
