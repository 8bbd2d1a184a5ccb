import Audio
import Bridge
import CsoundEngine
import Events
import LinuxIO
import Mapping

extension Contender {
  static let sondeSteady = sonde("Sonde, steady", .steady)
  static let sondeAsap = sonde("Sonde, asap", .asap)

  private static func sonde(_ name: String, _ timing: Timing) -> Contender {
    Contender(name, isSonde: true) { server, listener, folder in
      let csd = try stepCSD(
        """
        giLevel init 0
        instr Step
         giLevel = (p4 - 59) / 16
        endin
        instr 99
         kLevel = giLevel
         aOut upsamp kLevel
         out aOut
        endin
        """, name: "sonde", in: folder)
      var configuration = EngineConfiguration(.file(csd))
      configuration.options = ["-odac", "-+rtaudio=jack"]
      configuration.timing = timing
      return try SondePlayer(configuration, server, listener)
    }
  }
}

/// Sonde, whose gestures are buttons of a pad, pressed where a driver's events enter INPUT.
private final class SondePlayer: Player, @unchecked Sendable {
  private static let buttons = Control.gamepad.filter { $0.kind == .button }
    .prefix(StepCode.count)
  private let instrument: DrivenInstrument
  // The gestures' thread alone writes here, so that it need not allocate.
  private let events = UnsafeMutableBufferPointer<ControlEvent>.allocate(capacity: 3)
  private var refused = 0

  init(
    _ configuration: EngineConfiguration, _ server: JACKServer, _ listener: JACKListener
  ) throws {
    let lines = SondePlayer.buttons.enumerated().map { code, button in
      "pad.\(button.name) -> note Step key=\(60 + code)\n"
    }
    let mapping = try compile("device pad gamepad\n" + lines.joined()).description
    instrument = try DrivenInstrument(mapping, configuration)
    events.initialize(repeating: ControlEvent(.frameEnd, time: 0, device: 0))
    do {
      try listener.listen(to: server.waitForPort(.audioOutput))
    } catch {
      instrument.stop()
      throw error
    }
    instrument.plug(
      0,
      DeviceDescription(
        kind: .gamepad, name: "Bench Pad", controls: SondePlayer.buttons.map(\.name)))
  }

  deinit { events.deallocate() }

  func gesture(_ code: Int, at moment: Moment) {
    // The button is let go half a round later.
    let released = (code + StepCode.count / 2) % StepCode.count
    events[0] = button(code, 1, moment)
    events[1] = button(released, 0, moment)
    events[2] = ControlEvent(.frameEnd, time: moment.time, device: 0)
    if !instrument.send(UnsafeBufferPointer(events)) { refused += 1 }
  }

  private func button(_ code: Int, _ value: Double, _ moment: Moment) -> ControlEvent {
    ControlEvent(
      .value, time: moment.time, device: 0, control: ControlID.south.offset(by: code),
      value: value)
  }

  func service() throws {
    for text in instrument.service() { StandardStream.error.line("sonde: \(text)") }
    if case .failed(let error)? = instrument.engine.completion { throw error }
  }

  func stop() { instrument.stop() }

  var figures: [Figure] {
    let statistics = instrument.engine.statistics
    let latency = Double(statistics.latency) / 1e6
    return [
      (
        "told_latency_ms", latency,
        latency > 0 ? "says \(Report.decimals(latency, 2)) ms, the driver's buffer included" : ""
      ),
      (
        "late", Double(statistics.lateCommands),
        statistics.lateCommands > 0 ? "\(statistics.lateCommands) late" : ""
      ),
      (
        "refused", Double(refused + statistics.droppedCommands),
        refused + statistics.droppedCommands > 0 ? "some refused" : ""
      ),
      ("realtime", instrument.isRealtime ? 1 : 0, instrument.isRealtime ? "" : "not realtime"),
    ]
  }
}
