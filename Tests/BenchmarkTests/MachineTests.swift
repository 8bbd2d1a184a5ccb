import LinuxIO
import Testing

@testable import sonde_bench

/// If one of these fails, figures are published with conditions that did not hold.
@Suite struct MachineTests {
  @Test func whoGrantedRealtimePriorityIsSaid() {
    #expect(
      Machine.sentence(.realtime(priority: 70, by: .limits)) == "SCHED_FIFO, priority 70")
    #expect(
      Machine.sentence(.realtime(priority: 20, by: .realtimeKit))
        == "by RealtimeKit, priority 20")
    #expect(Machine.sentence(.refused("The limit is 0.")) == "refused (The limit is 0.)")
  }

  /// Root is granted what its limit of 0 does not say.
  @Test func theHeaderSaysWhatHolds() {
    let said = Machine().facts.first { $0.name == "realtime priority" }?.value
    switch RealtimeThread.trial(priority: 70) {
    case .realtime(let priority, _): #expect(said?.hasSuffix("priority \(priority)") == true)
    case .refused: #expect(said?.hasPrefix("refused") == true)
    case .normal: Issue.record("nothing was tried")
    }
  }
}
