import Events
import LinuxIO
import Synchronization

/// Shows a channel as a number with so many decimals, no more often than an eye follows.
public final class LabelWidget: Sendable {
  /// The shortest time between two texts.
  private static let pause: Nanoseconds = 40_000_000

  private struct Shown {
    var precision: Int
    var text = ""
    var time: Nanoseconds = .min
  }

  private let channel: ControlChannel
  private let shown: Mutex<Shown>

  init(_ channel: ControlChannel, precision: Int) {
    self.channel = channel
    shown = Mutex(Shown(precision: min(max(precision, 0), 15)))
  }

  /// Decimals, from 0 to 15; a new one shows at once.
  public var precision: Int {
    get { shown.withLock { $0.precision } }
    set {
      shown.withLock {
        $0.precision = min(max(newValue, 0), 15)
        $0.time = .min
      }
    }
  }

  /// The channel's value, 25 times a second at most.
  public var text: String {
    let now = monotonicNow()
    return shown.withLock { shown in
      if shown.time == .min || now - shown.time >= LabelWidget.pause {
        shown.text = formatted(channel.value, decimals: shown.precision)
        shown.time = now
      }
      return shown.text
    }
  }
}

/// Shows the size of a channel's values, and their peak for a while.
public final class MeterWidget: Sendable {
  private struct Peak {
    var value = 0.0
    var time: Nanoseconds = .min
  }

  private let channel: ControlChannel
  private let hold: Nanoseconds
  private let peak = Mutex(Peak())

  init(_ channel: ControlChannel, hold: Double) {
    self.channel = channel
    self.hold = Nanoseconds((hold.isFinite ? min(max(hold, 0), 3600) : 1.5) * 1e9)
  }

  /// The value without its sign, and the highest one that was seen for the last while.
  public var level: (value: Double, peak: Double) {
    let value = abs(channel.value)
    let now = monotonicNow()
    return peak.withLock { peak in
      if peak.time == .min || value >= peak.value || now - peak.time > hold {
        peak = Peak(value: value, time: now)
      }
      return (value, peak.value)
    }
  }
}
