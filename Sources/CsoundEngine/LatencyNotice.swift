import Audio
import Events

/// Says that the latency is not what it was, once when it has settled.
struct LatencyNotice: Sendable {
  /// Less is not told: it is a k-cycle of the margin more or less.
  private static let least: Nanoseconds = 1_000_000
  private static let patience: Nanoseconds = 1_000_000_000

  private var told: LatencyParts?
  private var last = LatencyParts()
  private var lastChange: Nanoseconds = 0

  /// Takes a look, several times a second.
  ///
  /// - Parameter parts: of the latency now; their total is 0 before it is known, and nothing is said then.
  /// - Returns: what to tell the user, or nil.
  mutating func sentence(_ parts: LatencyParts, at now: Nanoseconds) -> String? {
    if parts.total == 0 { return nil }
    guard let before = told else {
      told = parts
      last = parts
      return nil
    }
    if parts != last {
      last = parts
      lastChange = now
    }
    let difference = parts.total - before.total
    if abs(difference) < LatencyNotice.least || now - lastChange < LatencyNotice.patience {
      return nil
    }
    told = parts
    return
      "The latency is now \(parts.total.milliseconds), it was \(before.total.milliseconds): \(reason(from: before, to: parts)) (\(parts.sentence))."
  }

  private func reason(from before: LatencyParts, to now: LatencyParts) -> String {
    let buffer = now.buffer + now.cycle - before.buffer - before.cycle
    let device = now.device - before.device
    let margin = now.margin - before.margin
    if abs(buffer) >= abs(device) && abs(buffer) >= abs(margin) {
      return "the audio device has another buffer"
    }
    if abs(device) >= abs(margin) { return "the audio device has another delay of its own" }
    return margin > 0 ? "input arrives late" : "the device needs less"
  }
}
