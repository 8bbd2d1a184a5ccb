import Audio
import CsoundEngine
import Events
import LinuxIO
import Synchronization

/// Plays on the timer, without realtime priority.
func play(
  _ csound: CsoundObj, _ text: String, _ change: (inout EngineConfiguration) -> Void = { _ in }
) throws(EngineError) {
  var given = configuration(text)
  given.output = .none
  given.priority = nil
  change(&given)
  try csound.play(given)
}

/// Keeps what a `CsoundObj` tells of its runs.
final class RunLog: CsoundObjListener {
  private let kept = Mutex<(started: Int, completed: [Completion])>((0, []))

  func csoundObjStarted(_ csound: CsoundObj) { kept.withLock { $0.started += 1 } }

  func csoundObjCompleted(_ csound: CsoundObj, _ completion: Completion) {
    kept.withLock { $0.completed.append(completion) }
  }

  var started: Int { kept.withLock { $0.started } }
  var completed: [Completion] { kept.withLock { $0.completed } }
}

/// A binding made of closures.
final class TestBinding: CsoundBinding, @unchecked Sendable {
  var onSetup: (CsoundObj) -> Void = { _ in }
  var onBefore: () -> Void = {}
  var onAfter: () -> Void = {}
  var onCleanup: () -> Void = {}

  func setup(_ csound: CsoundObj) { onSetup(csound) }
  func updateValuesToCsound() { onBefore() }
  func updateValuesFromCsound() { onAfter() }
  func cleanup() { onCleanup() }
}
