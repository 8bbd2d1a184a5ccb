import Audio
import Events
import LinuxIO
import Synchronization

/// CONTROL's part in xruns and lost devices: says so in measured words, and opens what left again.
struct DeviceRecovery {
  private var isLost = false
  private var nextTry: Nanoseconds = 0
  private var wait: Nanoseconds = 0
  private var xruns = XrunSentences()

  private var reopening: BackgroundOpening<AudioDevice>?
  private var hasClosed = false
  // Whether it was said that what came back cannot be used.
  private var hasRefused = false

  private static let shortestWait: Nanoseconds = 100_000_000
  private static let longestWait: Nanoseconds = 2_000_000_000

  mutating func take(_ report: EngineReport) {
    switch report.kind {
    case .xrun: xruns.note(length: report.length, at: report.time)
    case .deviceLost:
      isLost = true
      wait = DeviceRecovery.shortestWait
      hasClosed = false
      hasRefused = false
    case .deviceReturned: isLost = false
    case .captureLost, .captureReturned, .unknownInstrument, .wrongChannel, .notFinite,
      .missingPatch, .periodChanged:
      break
    }
  }

  mutating func retryAtOnce() { nextTry = 0 }

  /// What to say of xruns, if anything.
  mutating func xrunSentence(at now: Nanoseconds, device: AudioAddress?) -> String? {
    xruns.sentence(
      at: now, remedy: device?.longerBuffer ?? "a longer buffer (--latency 40ms)")
  }

  /// Closes the device that PERFORM has left, and offers it a new one when there is one.
  ///
  /// - Returns: what to say, if anything.
  mutating func reopen(_ live: LiveRun) -> String? {
    // PERFORM says so before it reports.
    if !isLost || !live.controls.pointee.isOnTimer.load(ordering: .acquiring) { return nil }
    let now = monotonicNow()
    if let reopening {
      switch reopening.result() {
      case .running, .abandoned: return nil
      case .failed:
        self.reopening = nil
        nextTry = now + wait
        wait = min(wait * 2, DeviceRecovery.longestWait)
        return nil
      case .opened(let device):
        self.reopening = nil
        return take(device, live, now)
      }
    }
    if hasClosed && now < nextTry { return nil }
    live.facts.withLock { facts in
      guard facts.completion == nil, let address = facts.address, let request = facts.request
      else { return }
      // At once, so that the system knows it is not used any more; and again only when it is time.
      let old = facts.device
      reopening = try? .start(
        { () throws(AudioError) in
          old?.close()
          return try AudioDevice.reopen(address, request)
        }, closing: { $0.close() })
      facts.device = nil
      hasClosed = true
    }
    return nil
  }

  private mutating func take(_ device: AudioDevice, _ live: LiveRun, _ now: Nanoseconds) -> String?
  {
    live.facts.withLock { facts in
      let rate = facts.statistics.rate
      let isLong = device.format.buffer > LiveLoop.largestBuffer
      if facts.completion != nil || device.format.rate != rate || isLong {
        device.close()
        wait = DeviceRecovery.longestWait
        nextTry = now + wait
        if hasRefused || facts.completion != nil { return nil }
        hasRefused = true
        return isLong
          ? "\(device.address.subject) is back with a buffer of \(device.format.buffer) frames, and Sonde plays \(LiveLoop.largestBuffer) at the most; set a shorter one."
          : "\(device.address.subject) is back with \(device.format.rate) Hz, and the music runs at \(rate) Hz; set \(rate) Hz there\(device.address.resamplingHint), or start Sonde again."
      }
      facts.device = device
      facts.statistics.period = device.format.period
      facts.statistics.periods = device.format.periods
      live.controls.pointee.makeOffer(device)
      isLost = false
      return nil
    }
  }

  /// The run is over: a device that is being opened is not wanted any more.
  mutating func end() {
    reopening?.abandon()
    reopening = nil
  }
}
