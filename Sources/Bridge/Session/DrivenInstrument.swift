package import CsoundEngine
package import Events
import LinuxIO
package import Mapping

/// An instrument that a program plays instead of hands, for measurements.
///
/// INPUT, mapping and engine are those of `PlaySession`; events enter INPUT where the drivers' do, or come from a
/// take. Its owner is CONTROL: it calls `service` ten times a second at least, and `stop` in the end.
package final class DrivenInstrument {
  package let engine: CsoundEngine
  /// Whether INPUT and PERFORM got SCHED_FIFO.
  package let isRealtime: Bool
  private let program: Program
  private let hub: InputHub
  private var player: TakePlayer?
  private var counts = SessionStatistics()
  private var notices: [String] = []

  /// Starts to play.
  ///
  /// - Throws: `SessionError` when it cannot; nothing is left behind then.
  package init(
    _ mapping: MappingDescription, _ configuration: EngineConfiguration
  ) throws(SessionError) {
    program = Program(mapping)
    var configuration = configuration
    configuration.patch = program.patch
    _ = lockMemory()
    keepMemorySteady()
    engine = CsoundEngine(configuration)
    do throws(EngineError) { try engine.start() } catch { throw .engine(error) }
    do throws(SystemError) {
      hub = try InputHub(program, output: engine.commands, isLive: false) { _ in }
      try hub.thread.start(priority: 60)
      isRealtime = hub.thread.statistics.isRealtime && engine.statistics.isRealtime
    } catch {
      throw .system(error)
    }
  }

  /// Plugs a device in. Before anybody calls `send`.
  package func plug(_ device: DeviceIndex, _ description: DeviceDescription) {
    let time = monotonicNow()
    for request in hub.roster.set(device, description, at: time) { hub.send(request) }
    hub.send(.event(ControlEvent(.plugged, time: time, device: device)))
    hub.send(.event(ControlEvent(.frameEnd, time: time, device: device)))
  }

  /// Hands INPUT what a driver would have read at one waking, and wakes it. One thread only; nothing is allocated.
  ///
  /// - Returns: false when it did not fit.
  package func send(_ events: UnsafeBufferPointer<ControlEvent>) -> Bool {
    var isDone = true
    for event in events where !hub.thread.requests.push(.event(event)) { isDone = false }
    hub.thread.wake()
    return isDone
  }

  /// Plays a take whose time 0 is `origin`, instead of `plug` and `send`.
  package func play(_ take: any ByteSource, name: String, origin: Nanoseconds) {
    player = TakePlayer(TakeReader(take, name: name, origin: origin), hub: hub, program: program)
  }

  /// When the take's last line is due; nil until it was read.
  package var takeEnd: Nanoseconds? { player?.endTime }

  /// Does what CONTROL does; sentences of Sonde's and errors come back, what Csound prints besides does not.
  package func service() -> [String] {
    let now = monotonicNow()
    hub.service(at: now)
    player?.advance(at: now) { [self] report in
      if case .notice(let text) = report { notices.append(text) }
    }
    if let failure = player?.failure { notices.append("\(failure)") }
    takeEvents()
    defer { notices.removeAll() }
    let messages = engine.service().filter { $0.kind == .notice || $0.kind == .error }
    return messages.map(\.text) + notices
  }

  private func takeEvents() {
    while let event = hub.thread.tap.pop() {
      counts.events += 1
      if event.kind == .lost { counts.kernelLosses += 1 }
    }
  }

  /// What passed through INPUT so far; exact after `stop`.
  package var inputStatistics: SessionStatistics {
    var result = counts
    result.untakenEvents = hub.thread.tap.dropCount
    result.replacedValues = hub.runtime.counters.replacedValues
    result.droppedNotes = hub.runtime.counters.droppedNotes
    return result
  }

  /// The value that a channel had a moment ago; nil for those that the mapping does not name.
  package func value(of channel: String) -> Double? {
    let slot = program.patch.slots.firstIndex { slot in
      if case .channel(let name, _) = slot { return name == channel }
      return false
    }
    return slot.flatMap { engine.channelValue(slot: $0) }
  }

  /// Releases what is held and ends INPUT and the engine.
  package func stop() {
    hub.stop(at: monotonicNow())
    takeEvents()
    engine.stop()
  }
}
