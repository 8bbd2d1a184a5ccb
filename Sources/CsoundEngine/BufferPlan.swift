import Audio
import Events

/// Which buffer a live run asks its device for, and who wants it so.
struct BufferPlan: Equatable {
  enum Origin: Equatable {
    /// The configuration, or `-b` and `-B` of the command line.
    case options
    /// `-b` and `-B` of the CSD.
    case csd
    /// A latency that was asked for.
    case latency(Nanoseconds)
    /// Nobody asks for anything.
    case usual
  }

  var origin: Origin
  /// What to ask for, one after the other, until the latency is kept.
  var choices: [BufferChoice]
  /// Whether a longer buffer was named than Sonde asks for.
  var isCut = false
  /// Whether shorter periods were named than Sonde asks for.
  var isStretched = false

  /// - Parameter namesBuffers: whether the user's own options name `-b` or `-B`.
  init(
    _ configuration: EngineConfiguration, _ wishes: CsoundInstance.AudioWishes, namesBuffers: Bool
  ) {
    let usual = BufferChoice.usual(rate: wishes.rate, ksmps: wishes.ksmps)
    if let period = configuration.period {
      origin = .options
      choices = [BufferChoice(period: period, periods: configuration.periods ?? usual.periods)]
    } else if let latency = configuration.latency, !namesBuffers {
      origin = .latency(latency)
      choices = BufferChoice.within(
        latency, rate: wishes.rate, ksmps: wishes.ksmps, timing: configuration.timing)
    } else if wishes.buffer != nil || wishes.hardwareBuffer != nil {
      origin = namesBuffers ? .options : .csd
      choices = [BufferPlan.choice(wishes, configuration.periods, usual)]
      isCut =
        wishes.buffer ?? 0 > BufferChoice.longestPeriod
        || wishes.hardwareBuffer ?? 0 > BufferChoice.longestBuffer
      let shortest = BufferChoice.shortestPeriod
      isStretched =
        wishes.buffer ?? shortest < shortest || wishes.hardwareBuffer ?? 2 * shortest < 2 * shortest
    } else {
      origin = .usual
      choices = [
        BufferChoice(period: usual.period, periods: configuration.periods ?? usual.periods)
      ]
    }
  }

  private static func choice(
    _ wishes: CsoundInstance.AudioWishes, _ periods: Int?, _ usual: BufferChoice
  ) -> BufferChoice {
    let whole = wishes.hardwareBuffer.map { min($0, BufferChoice.longestBuffer) }
    // -B alone: two halves, as far as they are not longer than the usual period.
    let half = whole.map { min(usual.period, $0 / 2) }
    let named = wishes.buffer.map { min($0, BufferChoice.longestPeriod) } ?? half ?? usual.period
    let period = max(named, BufferChoice.shortestPeriod)
    let wanted = periods ?? whole.map { ($0 + period / 2) / period } ?? usual.periods
    return BufferChoice(period: period, periods: max(wanted, 2))
  }

  /// The device's server has a buffer for all of its clients: nothing is asked for, and a latency only compared.
  ///
  /// - Parameter latency: the latency that the user asked for.
  mutating func leaveToServer(_ latency: Nanoseconds?) {
    choices = [choices[0]]
    origin = latency.map { .latency($0) } ?? .usual
  }

  /// Opens a device with the first buffer that keeps the latency, else with the one that comes nearest.
  ///
  /// - Parameter isCancelled: asked again and again whether the device is still wanted.
  static func open(
    _ address: AudioAddress, _ request: AudioRequest, _ plan: BufferPlan, ksmps: Int,
    timing: Timing, isCancelled: () -> Bool = { false }
  ) throws(AudioError) -> AudioDevice {
    var request = request
    func ask(_ choice: BufferChoice) throws(AudioError) -> AudioDevice {
      request.period = choice.period
      request.periods = choice.periods
      return try AudioDevice.open(address, request, isCancelled: isCancelled)
    }
    func parts(_ device: AudioDevice) -> LatencyParts {
      LatencyParts(format: device.format, ksmps: ksmps, timing: timing)
    }
    var device = try ask(plan.choices[0])
    // JACK's buffer is its server's, whatever is asked for.
    guard case .latency(let limit) = plan.origin, device.format.rate == request.rate,
      address.system == "alsa"
    else { return device }
    var best = plan.choices[0]
    var least = parts(device)
    for choice in plan.choices.dropFirst() where !least.isWithin(limit) {
      device.close()
      // A size that a device refuses altogether is no reason to give up.
      guard let other = try? ask(choice) else {
        device = try ask(best)
        continue
      }
      device = other
      if parts(other).total < least.total {
        least = parts(other)
        best = choice
      }
    }
    if parts(device).total > least.total {
      device.close()
      device = try ask(best)
    }
    return device
  }

  /// What to say where `-b` and `-B` are not what plays, or nil.
  ///
  /// - Parameter device: the device's name, empty for none.
  func differenceSentence(_ format: AudioFormat, device: String) -> String? {
    guard origin == .options || origin == .csd else { return nil }
    let granted = "\(format.periods)×\(format.period) frames"
    if isCut {
      return
        "The buffer is \(granted): Sonde asks for no longer ones, whatever -b and -B say, since they are played to the end at a stop."
    }
    if isStretched {
      return
        "The buffer is \(granted): Sonde asks for no shorter periods than \(BufferChoice.shortestPeriod) frames, whatever -b and -B say, since a processor would do nothing but wake up."
    }
    let asked = choices[0]
    let difference = abs(format.buffer - asked.period * asked.periods)
    // Devices round a little.
    if difference * 4 <= asked.period * asked.periods || device.isEmpty { return nil }
    return
      "\(device) plays with a buffer of \(granted) where \(asked.periods)×\(asked.period) were asked for (-b, -B): it has no nearer one."
  }

  /// What the user should know of the buffer that was granted, or nil.
  ///
  /// - Parameters:
  ///   - address: the device, or nil for none.
  ///   - latency: the latency that the user asked for.
  func sentence(
    _ parts: LatencyParts, format: AudioFormat, ksmps: Int, address: AudioAddress?,
    asked latency: Nanoseconds?
  ) -> String? {
    let buffer = "\(format.periods)×\(format.period) frames"
    let isServers = address.map { $0.system != "alsa" } ?? false
    switch origin {
    case .usual: return nil
    case .options:
      if latency == nil || isServers { return nil }
      return
        "The buffer is \(buffer), as -b or -B on the command line say; --latency is not used: leave one of them out."
    case .csd:
      if parts.total < 40_000_000 || isServers { return nil }
      return
        "The CSD asks for a buffer of \(buffer) (-b, -B), so a gesture sounds after \(parts.total.milliseconds); --latency 10ms asks for less."
    case .latency(let limit):
      if parts.isWithin(limit) { return nil }
      let cycles = parts.cycle + parts.margin
      let isCycle = cycles > parts.buffer && ksmps > 32
      return
        "The latency is \(parts.total.milliseconds), more than the \(limit.exactMilliseconds) asked for: \(parts.sentence); "
        + (isCycle
          ? "a lower ksmps than \(ksmps) in the CSD helps."
          : isServers
            ? "the buffer of \(buffer) is that of the sound server; set a shorter one there."
            : "\(address?.name ?? "the timer") grants no shorter buffer than \(buffer).")
    }
  }
}
