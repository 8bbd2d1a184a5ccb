import Audio
import Events
import LinuxIO
import Synchronization

/// CONTROL's part in a capture device that is not there, or leaves: says so once, and opens it when it comes.
///
/// The music goes on meanwhile and hears silence. A sound server that has stopped may keep whoever opens waiting, so
/// that a thread of its own does it.
struct CaptureRecovery: Sendable {
  private var isMissing = false
  private var nextTry: Nanoseconds = 0
  private var wait: Nanoseconds = 0
  private var opening: BackgroundOpening<IndependentCapture>?
  // What PERFORM has left, until a thread closes it.
  private var old: IndependentCapture?

  private static let shortestWait: Nanoseconds = 200_000_000
  private static let longestWait: Nanoseconds = 2_000_000_000

  /// What to say of a report, if it is about capture.
  mutating func sentence(for report: EngineReport, _ live: LiveRun) -> String? {
    let name = live.facts.withLock { $0.captureName } ?? "default"
    switch report.kind {
    case .captureLost:
      isMissing = true
      wait = CaptureRecovery.shortestWait
      nextTry = report.time + wait
      // Now, while it is still the one that PERFORM has left: a device that returns may capture itself.
      old = live.facts.withLock { facts in
        if facts.capture == nil { facts.device?.closeCapture() }
        defer { facts.capture = nil }
        return facts.capture
      }
      return
        "The capture device \(name) is gone; the music goes on and hears silence until it returns."
    case .captureReturned:
      return CaptureRecovery.returnSentence(name)
    case .deviceReturned:
      let (isWanted, isHeard) = live.facts.withLock {
        ($0.captureName != nil, $0.capture != nil || $0.device?.isDuplex ?? false)
      }
      let wasMissing = isMissing
      // Both sides were gone, and only one came back by itself.
      isMissing = isWanted && !isHeard
      if isMissing { wait = max(wait, CaptureRecovery.shortestWait) }
      return wasMissing && isHeard ? CaptureRecovery.returnSentence(name) : nil
    default: return nil
    }
  }

  private static func returnSentence(_ name: String) -> String {
    "The capture device \(name) is there, and is heard from now on."
  }

  mutating func retryAtOnce() { nextTry = 0 }

  /// Offers PERFORM a new device when there is one, unless the one that plays captures by itself.
  mutating func reopen(_ live: LiveRun) {
    if live.facts.withLock({ $0.isCaptureMissing }) {
      live.facts.withLock { $0.isCaptureMissing = false }
      isMissing = true
      wait = CaptureRecovery.longestWait
    }
    if !isMissing {
      end()
      return
    }
    let now = monotonicNow()
    if let opening {
      switch opening.result() {
      case .running, .abandoned: return
      case .failed:
        wait = min(wait * 2, CaptureRecovery.longestWait)
        nextTry = now + wait
      case .opened(let capture): offer(capture, live)
      }
      self.opening = nil
      return
    }
    live.facts.withLock { facts in
      guard facts.completion == nil, now >= nextTry, let name = facts.captureName,
        let format = facts.captureFormat, !(facts.device?.isDuplex ?? false)
      else { return }
      let left = old
      old = nil
      opening = try? .start(
        { () throws(AudioError) in
          left?.close()
          return try IndependentCapture.reopen(name, beside: format)
        }, closing: { $0.close() })
    }
  }

  private mutating func offer(_ capture: IndependentCapture, _ live: LiveRun) {
    live.facts.withLock { facts in
      // Not wanted where the run is over, or the device that plays has come back with its own.
      if facts.completion != nil || facts.device?.isDuplex ?? false {
        capture.close()
        return
      }
      facts.capture = capture
      live.controls.pointee.makeOffer(capture)
      isMissing = false
    }
  }

  /// A device that is being opened is not wanted any more: the run is over, or another is heard.
  mutating func end() {
    opening?.abandon()
    opening = nil
  }
}
