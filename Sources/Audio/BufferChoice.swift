public import Events

/// Which buffer to ask a device for.
public struct BufferChoice: Sendable, Equatable {
  /// Frames per period.
  public var period: Int
  public var periods: Int

  public init(period: Int, periods: Int) {
    self.period = period
    self.periods = periods
  }

  /// The longest period and the longest buffer that are asked for, in frames: a stop plays the buffer to its end.
  public static let longestPeriod = 1 << 14
  public static let longestBuffer = 1 << 15
  /// The shortest period that is asked for.
  public static let shortestPeriod = 16

  /// Where nothing is asked for: two periods of 5.3 ms (256 frames at 48 kHz, the same time at 96 and 192 kHz).
  ///
  /// The period is the nearest whole number of k-cycles, and one at least: a k-cycle that is longer would have to
  /// be computed in the time of a period, and one that does not divide it costs its own length in latency.
  public static func usual(rate: Int, ksmps: Int) -> BufferChoice {
    let frames = rate > 150_000 ? 1024 : rate > 64_000 ? 512 : 256
    if frames % ksmps == 0 { return BufferChoice(period: frames, periods: 2) }
    let cycles = max((frames + ksmps / 2) / ksmps, 1)
    return BufferChoice(period: min(cycles * ksmps, longestBuffer / 4), periods: 2)
  }

  /// What to ask for, one after the other, so that an event sounds within `latency`: the longest buffer that does
  /// it comes first, since it is the safest, then ever shorter ones for devices that grant more than they are
  /// asked for.
  public static func within(
    _ latency: Nanoseconds, rate: Int, ksmps: Int, timing: Timing
  ) -> [BufferChoice] {
    func parts(_ period: Int) -> LatencyParts {
      LatencyParts(
        format: AudioFormat(
          rate: rate, channels: 2, deviceChannels: 2, period: period, periods: 2),
        ksmps: ksmps, timing: timing)
    }
    // Sizes that hardware likes: 2ⁿ and 3·2ⁿ; and whole k-cycles.
    var sizes: Set<Int> = []
    var power = shortestPeriod
    while power <= longestPeriod {
      sizes.formUnion([power, power + power / 2])
      power *= 2
    }
    for cycles in 1...64 { sizes.insert(cycles * ksmps) }
    let periods = sizes.filter { $0 >= shortestPeriod && $0 <= longestPeriod }.sorted(by: >)
    let first = periods.first { parts($0).isWithin(latency) } ?? shortestPeriod
    let shorter = periods.filter { $0 < first && ($0 % ksmps == 0 || $0 % 16 == 0) }
    // Each is an attempt to open the device: the next ones below, then in larger steps.
    var attempts = [first]
    for period in shorter where period * 5 <= attempts[attempts.count - 1] * 4 {
      attempts.append(period)
    }
    return attempts.map { BufferChoice(period: $0, periods: 2) }
  }
}
