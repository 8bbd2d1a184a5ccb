import Events
import LinuxIO
import Mapping
import Widgets

/// Records what INPUT saw into a take on disk, which is whole at every moment.
final class TakeRecording {
  private static let interval: Nanoseconds = 200_000_000

  private let path: String
  private let writer: TakeWriter
  private var nextFlush: Nanoseconds = 0
  /// Why nothing is recorded any more; the file is whole up to there.
  private(set) var failure: SystemError?
  private var declared: [DeviceIndex: DeviceDescription] = [:]
  private var pressed: [DeviceIndex: Set<ControlID>] = [:]

  /// - Throws: `SessionError.system` when the file cannot be written.
  init(_ path: String, program: Program? = nil) throws(SessionError) {
    self.path = path
    do throws(SystemError) {
      writer = TakeWriter(try FileWriter(path), start: monotonicNow())
    } catch {
      throw .system("The take cannot be written: \(error).")
    }
    writer.widgetNames = program?.description.widgets.map(\.name) ?? []
  }

  /// Says what the devices are; call it before their events.
  func declare(_ descriptions: [DeviceIndex: DeviceDescription]) {
    if descriptions == declared { return }
    for (device, description) in descriptions.sorted(by: { $0.key < $1.key })
    where declared[device] != description {
      writer.declare(device, description)
    }
    declared = descriptions
  }

  /// Takes one event.
  func take(_ event: ControlEvent) {
    if failure != nil || isIdleRelease(event) { return }
    writer.append(event)
  }

  /// Whether a button is released that was not pressed, as all are when a node leaves; a take tells only changes.
  private func isIdleRelease(_ event: ControlEvent) -> Bool {
    switch event.kind {
    case .plugged, .unplugged: pressed[event.device] = nil
    case .value:
      guard case .button? = Control.numbered(event.control)?.kind else { return false }
      if event.value == 0 { return pressed[event.device]?.remove(event.control) == nil }
      pressed[event.device, default: []].insert(event.control)
    default: break
    }
    return false
  }

  /// Writes what is complete.
  func flush(at time: Nanoseconds, report: (SessionReport) -> Void) {
    if time < nextFlush { return }
    nextFlush = time + TakeRecording.interval
    attempt(report) { try writer.flush(now: time) }
  }

  /// Writes the rest.
  func finish(at time: Nanoseconds, report: (SessionReport) -> Void) {
    attempt(report) { try writer.finish() }
    if failure == nil && writer.skippedCount > 0 {
      report(.notice("\(path): \(writer.skippedCount) events had no name and were left out."))
    }
  }

  private func attempt(_ report: (SessionReport) -> Void, _ body: () throws -> Void) {
    if failure != nil { return }
    do {
      try body()
    } catch {
      // To go on would leave a hole in the file, and a line cut in its middle.
      failure = (error as? SystemError) ?? SystemError(.invalid, call: "write", path: path)
      report(.notice("\(path): the recording ends here, it cannot be written: \(error)."))
    }
  }
}
