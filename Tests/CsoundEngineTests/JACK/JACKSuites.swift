import Audio
import CsoundEngine
import Events
import LinuxIO
import Testing

/// All that needs a JACK server, one after the other: libjack has one server in a process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JACKSuites {}

extension JACKSuites {
  /// A rate at which a period lasts eight milliseconds or more: what is shown in frames should not depend on how soon a
  /// busy machine wakes a server.
  static func calmRate(period: Int) -> Int { min(period * 125, 48000) }

  static func configuration(
    _ text: String, server: String, options: [String] = [], slots: [EnginePatch.Slot] = []
  ) -> EngineConfiguration {
    var given = EngineConfiguration(
      .text(text, name: "test.csd", folder: "/tmp"),
      patch: EnginePatch(generation: 1, slots: slots))
    given.output = .jack(server: server)
    given.options = options
    return given
  }

  /// Looks again and again for up to ten seconds, doing CONTROL's work, and keeps what the engine says.
  static func eventually(
    _ engine: CsoundEngine, _ said: inout [String], _ condition: () -> Bool
  ) -> Bool {
    let end = monotonicNow() + 10 * .perSecond
    while monotonicNow() < end {
      said += engine.service().filter { $0.kind == .notice }.map(\.text)
      if condition() { return true }
      sleepUntil(monotonicNow() + 10_000_000)
    }
    return condition()
  }
}
