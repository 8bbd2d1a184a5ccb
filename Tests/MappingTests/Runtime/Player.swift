import Events
import Mapping
import Testing
import Widgets

/// A runtime with a ring to look into, and short ways to feed it.
final class Player {
  let ring: SPSCRing<EngineCommand>
  let runtime: Runtime
  private(set) var program: Program
  /// The moment of the next event; each frame is 1 ms later than the last.
  var time: Nanoseconds = 0

  init(_ description: MappingDescription, capacity: Int = 4096) {
    ring = SPSCRing(capacity: capacity)
    program = Program(description)
    runtime = Runtime(program, output: ring)
  }

  /// One frame of `device`.
  func frame(_ values: [(ControlID, Double)], device: DeviceIndex = 0) {
    time += 1_000_000
    for (control, value) in values {
      runtime.process(
        ControlEvent(.value, time: time, device: device, control: control, value: value))
    }
    send(.frameEnd, device: device)
  }

  func send(_ kind: ControlEvent.Kind, device: DeviceIndex = 0) {
    runtime.process(ControlEvent(kind, time: time, device: device))
  }

  /// Plugs `device` in and connects it to device `number` of the mapping.
  func plug(_ device: DeviceIndex = 0, as number: Int = 0) {
    send(.plugged, device: device)
    runtime.bind(device, to: number, time: time)
    send(.frameEnd, device: device)
  }

  func reload(_ description: MappingDescription) {
    let next = Program(description, after: program)
    runtime.install(.passRetained(next), time: time).release()
    program = next
  }

  /// What the engine would take now, in words: `cutoff 0.5`, `note 1 on 60 127`, `note 1 off 60`, `switch 2`.
  func taken() -> [String] {
    var words: [String] = []
    while let command = ring.pop() {
      let slot = Int(command.slot)
      switch command.kind {
      case .value: words.append("\(name(slot)) \(command.value.shortestText)")
      case .noteOn:
        words.append(
          "\(name(slot)) on \(command.key.shortestText) \(command.value.shortestText)")
      case .noteOff: words.append("\(name(slot)) off \(command.key.shortestText)")
      case .switch: words.append("switch \(slot)")
      case .panic: words.append("panic")
      }
    }
    return words
  }

  private func name(_ slot: Int) -> String { program.slotNames[slot].target }
}

extension MappingDescription {
  /// A mapping of one pad.
  init(
    _ routes: [RouteDescription], widgets: [WidgetDescription] = [],
    devices: [DeviceDeclaration] = [DeviceDeclaration(name: "pad", role: .declared(.gamepad))]
  ) {
    self.init(devices: devices, widgets: widgets, routes: routes)
  }
}

/// A line from a control of device `device` with the language's range.
func line(
  _ control: String, _ stages: [Stage] = [], to targets: [TargetDescription], device: Int = 0,
  name: String = ""
) -> RouteDescription {
  guard let known = Control.named(control) else { preconditionFailure("No control \(control)") }
  return RouteDescription(
    identity: name.isEmpty ? "\(device) \(control) \(stages.count) \(targets)" : name,
    device: device, control: known.id, range: known.range, isAngle: known.isAngle, stages: stages,
    targets: targets)
}
