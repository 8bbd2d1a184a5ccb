import Audio
import Events
import LinuxIO
import Synchronization

/// CONTROL's part in xruns and lost devices: says so in measured words, and opens what left again.
struct DeviceRecovery: Sendable {
  private var isLost = false
  private var nextTry: Nanoseconds = 0
  private var wait: Nanoseconds = 0
  private var xruns = XrunSentences()

  private static let shortestWait: Nanoseconds = 200_000_000
  private static let longestWait: Nanoseconds = 2_000_000_000

  mutating func take(_ report: EngineReport) {
    switch report.kind {
    case .xrun: xruns.note(length: report.length, at: report.time)
    case .deviceLost:
      isLost = true
      wait = DeviceRecovery.shortestWait
      nextTry = report.time + wait
    case .deviceReturned: isLost = false
    case .unknownInstrument, .wrongChannel, .notFinite, .missingPatch: break
    }
  }

  mutating func retryAtOnce() { nextTry = 0 }

  /// What to say of xruns, if anything.
  mutating func xrunSentence(at now: Nanoseconds) -> String? { xruns.sentence(at: now) }

  /// Closes the device that PERFORM has left, and offers it a new one when there is one.
  mutating func reopen(_ live: LiveRun) {
    // PERFORM says so before it reports.
    if !isLost || !live.controls.pointee.isOnTimer.load(ordering: .acquiring) { return }
    let now = monotonicNow()
    live.facts.withLock { facts in
      facts.device?.close()
      facts.device = nil
      guard facts.completion == nil, now >= nextTry, let address = facts.address,
        let request = facts.request
      else { return }
      guard let device = try? AudioDevice(address, request) else {
        wait = min(wait * 2, DeviceRecovery.longestWait)
        nextTry = now + wait
        return
      }
      if device.format.rate != request.rate
        || device.format.buffer > LiveLoop.largestBuffer
      {
        device.close()
        nextTry = now + DeviceRecovery.longestWait
        return
      }
      facts.device = device
      facts.statistics.period = device.format.period
      facts.statistics.periods = device.format.periods
      live.controls.pointee.makeOffer(device)
      isLost = false
    }
  }
}
