public import Events

/// The last value of every control that is not at rest, by device: what a recording starts with that begins
/// while devices are in use.
public struct ControlStates: Sendable {
  private var values: [DeviceIndex: [ControlID: ControlEvent]] = [:]

  public init() {}

  /// Follows one event.
  public mutating func apply(_ event: ControlEvent) {
    switch event.kind {
    case .value:
      values[event.device, default: [:]][event.control] = event.value == 0 ? nil : event
    case .plugged, .unplugged: values[event.device] = nil
    case .frameEnd, .lost, .raw, .widget: break
    }
  }

  /// The frame with which `device` enters a recording at `time`: it is there, and this is how it stands.
  public func snapshot(of device: DeviceIndex, at time: Nanoseconds) -> [ControlEvent] {
    let held = (values[device] ?? [:]).values.sorted { $0.control.rawValue < $1.control.rawValue }
    return [ControlEvent(.plugged, time: time, device: device)]
      + held.map { event in
        var event = event
        event.time = time
        return event
      } + [ControlEvent(.frameEnd, time: time, device: device)]
  }
}
