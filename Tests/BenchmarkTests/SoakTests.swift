import Bridge
import Events
import Mapping
import Testing

@testable import sonde_bench

@Suite struct SoakTests {
  @Test("The dense take is a take: every line of it is read, at the rate that was promised")
  func takeIsRead() throws {
    let take = DenseTake(duration: 1_000_000_000)
    let reader = TakeReader(take, name: "dense take")
    var frames = 0
    var pressed = 0
    var values = 0
    var devices = 0
    while let item = try reader.next() {
      switch item {
      case .device: devices += 1
      case .frame(let events):
        guard events.contains(where: { $0.kind == .value }) else { continue }
        frames += 1
        let controls = events.filter { $0.kind == .value }
        values += controls.count
        pressed += controls.count { Control.numbered($0.control)?.kind == .button && $0.value == 1 }
      case .note(let error): Issue.record("\(error)")
      default: Issue.record("\(item)")
      }
    }
    #expect(devices == 4 && frames == 4000)
    #expect(values == take.values && pressed == take.presses)
    // A press and a release of each pad in every 100 ms.
    #expect(take.presses == 40)
  }

  @Test("The soak's mapping has the 200 lines that are told, each of them in force")
  func mapping() throws {
    let description = try compile(SoakInstrument.mapping).description
    #expect(SoakInstrument.mapping.split(separator: "\n").count { $0.contains("->") } == 201)
    #expect(description.routes.count { !$0.targets.isEmpty } >= 201)
    #expect(description.devices.count >= DenseTake.pads)
  }

  @Test("Times of the command line")
  func times() {
    #expect(soakTime("90s") == 90_000_000_000)
    #expect(soakTime("10min") == 600_000_000_000)
    #expect(soakTime("1h") == 3_600_000_000_000)
    for wrong in ["", "h", "1", "-1h", "0s", "1d", "1.5h", "9999999h", "99999999999999999999s"] {
      #expect(soakTime(wrong) == nil)
    }
  }
}
