public import Events

/// What steady timing's latency is made of.
public struct LatencyParts: Sendable, Equatable {
  /// The buffer of the device.
  public var buffer: Nanoseconds = 0
  /// A k-cycle that is computed ahead, where k-cycles do not divide the period.
  public var cycle: Nanoseconds = 0
  /// What the device adds behind its buffer.
  public var device: Nanoseconds = 0
  /// For input that arrives late.
  public var margin: Nanoseconds = 0
  /// What a sound from a capture device takes longer than a gesture without its margin: no part of `total`; nil where
  /// nothing is captured.
  public var capture: Nanoseconds?

  public init() {}

  /// The parts of a run's first moment: nothing is known of the input's delay.
  ///
  /// - Parameter addedFrames: what the device holds behind its buffer, as far as it has told.
  public init(
    format: AudioFormat, ksmps: Int, timing: Timing = .steady, addedFrames: Int = 0
  ) {
    let clock = FrameClock(rate: format.rate)
    buffer = clock.time(of: Int64(format.buffer))
    device = clock.time(of: Int64(addedFrames))
    switch timing {
    case .asap: break
    case .steady:
      if format.period % ksmps != 0 { cycle = clock.time(of: Int64(ksmps)) }
      margin = TimingMargin.least(cycle: clock.time(of: Int64(ksmps)))
    }
  }

  public var total: Nanoseconds { buffer + cycle + device + margin }

  /// From a microphone to the sound; nil where nothing is captured.
  public var microphone: Nanoseconds? { capture.map { buffer + cycle + device + $0 } }

  /// Whether the total is within `limit`; each part is rounded up.
  public func isWithin(_ limit: Nanoseconds) -> Bool { total <= limit + 4 }

  /// The parts that there are, for people: `buffer 10.7 ms, margin 0.7 ms`, and behind a semicolon the way from a
  /// microphone, where there is one.
  public var sentence: String {
    let parts = [("buffer", buffer), ("k-cycle", cycle), ("device", device), ("margin", margin)]
      .filter { $0.1 > 0 }.map { "\($0.0) \($0.1.milliseconds)" }.joined(separator: ", ")
    guard let microphone, let capture else { return parts }
    let own = capture > 0 ? ", with \(capture.milliseconds) of the capture device's own" : ""
    return "\(parts); from the microphone \(microphone.milliseconds)\(own)"
  }
}

/// The constant latency of steady timing, and how it changes when it must.
///
/// It is what the device needs plus a margin. After the first two seconds it changes by one k-cycle per 100 ms at
/// most, so that no two k-cycles' events ever fall together; only a device that needs more takes it at once,
/// since everything would be late until then.
public struct SteadyLatency {
  private let cycle: Nanoseconds
  private let settled: Nanoseconds
  private var margin: TimingMargin
  private var need: Nanoseconds
  private var lastStep: Nanoseconds
  /// From an event to its sound.
  public private(set) var value: Nanoseconds

  /// - Parameters:
  ///   - cycle: nanoseconds of one k-cycle, above 0.
  ///   - need: what the device needs without a margin.
  ///   - start: when the run began.
  public init(cycle: Nanoseconds, need: Nanoseconds, start: Nanoseconds) {
    self.cycle = max(cycle, 1)
    self.need = need
    settled = start + 2 * .perSecond
    lastStep = start
    margin = TimingMargin(cycle: cycle, start: start)
    value = need + margin.value
  }

  /// Frees its memory; the last call.
  public func deallocate() { margin.deallocate() }

  /// The part of `value` that the device does not need.
  public var marginValue: Nanoseconds { @_noLocks get { value &- need } }

  /// Another device, or another buffer, needs `need`.
  @_noLocks
  public mutating func change(need: Nanoseconds) {
    self.need = need
    if need &+ margin.value > value { value = need &+ margin.value }
  }

  /// The same device turns out to need `need`.
  @_noLocks
  public mutating func learn(need: Nanoseconds) { self.need = need }

  /// Takes note that a command would have needed a margin of `lateness` (0 or below: none).
  @_noLocks
  public mutating func observe(lateness: Nanoseconds) { margin.observe(lateness: lateness) }

  /// Moves `value` if need be; call it before the k-cycles of each wake-up.
  @_noLocks
  public mutating func settle(at now: Nanoseconds) {
    margin.settle(at: now)
    let target = need &+ margin.value
    if target == value { return }
    if now < settled {
      value = target
    } else if now &- lastStep >= 100_000_000 {
      lastStep = now
      value = target > value ? min(value &+ cycle, target) : max(value &- cycle, target)
    }
  }
}
