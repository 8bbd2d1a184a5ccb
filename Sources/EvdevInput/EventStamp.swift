internal import Events

/// Where the events of one node say that they come from.
struct EventStamp: BitwiseCopyable, Sendable {
  let device: DeviceIndex
  let node: UInt16
  // ControlID.raw of this node with type and code 0.
  private let rawBase: UInt32

  init(device: DeviceIndex, node: UInt16, role: ControlID.Node) {
    self.device = device
    self.node = node
    rawBase = ControlID.raw(role, type: 0, code: 0).rawValue
  }

  @_noLocks
  func value(
    _ control: ControlID, _ value: Double, _ time: Nanoseconds, sensorTime: Nanoseconds = .min,
    into buffer: EventBuffer
  ) {
    add(.value, time, control, value, sensorTime, buffer)
  }

  @_noLocks
  func turn(
    _ kind: ControlEvent.Kind, _ time: Nanoseconds, count: Int = 0, into buffer: EventBuffer
  ) {
    add(kind, time, ControlID(rawValue: 0), Double(count), .min, buffer)
  }

  @_noLocks
  func raw(_ kind: ControlEvent.Kind, _ event: EvdevEvent, into buffer: EventBuffer) {
    let control = ControlID(rawValue: rawBase | UInt32(event.type) << 16 | UInt32(event.code))
    add(kind, event.time, control, Double(event.value), .min, buffer)
  }

  @_noLocks
  private func add(
    _ kind: ControlEvent.Kind, _ time: Nanoseconds, _ control: ControlID, _ value: Double,
    _ sensorTime: Nanoseconds, _ buffer: EventBuffer
  ) {
    buffer.append(
      ControlEvent(
        kind, time: time, device: device, control: control, value: value, sensorTime: sensorTime,
        node: node))
  }
}
