import DeviceWatch
import EvdevInput
import Events
import LabSupport
import LinuxIO

/// One event node read by Sonde's own driver, and everything that it said.
final class NodeRecording {
  let reader: EvdevReader
  private let buffer = EventBuffer(capacity: 1024)
  private(set) var events: [ControlEvent] = []
  private(set) var isGone = false

  init(_ node: InputNode, device: DeviceIndex = 0) throws {
    reader = try EvdevReader(path: node.path, device: device, number: UInt16(node.number))
    reader.start(monotonicNow(), into: buffer)
    keep()
  }

  /// Reads what waits.
  func read() {
    while !isGone {
      let outcome = reader.read(into: buffer)
      keep()
      switch outcome {
      case .drained: return
      case .gone: isGone = true
      case .more: break
      }
    }
  }

  /// Reads until `condition` holds, for at most `seconds`; says whether it did.
  func read(seconds: Double = 2, until condition: (NodeRecording) -> Bool) -> Bool {
    wait(seconds: seconds, interval: 0.001) {
      read()
      return condition(self) ? () : nil
    } != nil
  }

  func forget() { events = [] }

  /// The values that one control took, in order.
  func values(_ control: ControlID) -> [Double] {
    events.filter { $0.kind == .value && $0.control == control }.map(\.value)
  }

  func count(_ kind: ControlEvent.Kind) -> Int { events.count { $0.kind == kind } }

  private func keep() {
    for index in 0..<buffer.count { events.append(buffer.event(at: index)) }
    buffer.removeAll()
  }
}

/// Waits for what a monitor says about devices, as CONTROL does.
///
/// - Returns: the changes, and when the last came; what there was after `seconds` if `isEnough` never held.
func changes(
  of monitor: DeviceMonitor, seconds: Double = 10, until isEnough: ([DeviceChange]) -> Bool
) throws -> (changes: [DeviceChange], time: Int64) {
  let poll = try EventPoll()
  let registration = try poll.add(monitor.descriptor, tag: 0)
  defer { poll.remove(registration) }
  var found: [DeviceChange] = []
  var time = monotonicNow()
  let deadline = time + Int64(seconds * 1e9)
  while !isEnough(found) && monotonicNow() < deadline {
    poll.wait(milliseconds: 50)
    let new = monitor.changes()
    if !new.isEmpty { time = monotonicNow() }
    found += new
  }
  return (found, time)
}
