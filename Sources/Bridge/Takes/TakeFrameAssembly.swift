import Events

/// Gathers what happens at one time into frames, one for each device.
///
/// Lines of one device with one time are one frame, also when lines of other devices stand between them.
struct TakeFrameAssembly {
  private enum Part {
    case frame(device: DeviceIndex, [ControlEvent])
    case item(TakeReader.Item)
    /// Taken out while it grows, so that its array is not copied.
    case taken
  }

  private var parts: [Part] = []
  /// Where in `parts` each device's open frame is.
  private var open: [DeviceIndex: Int] = [:]

  var isEmpty: Bool { parts.isEmpty }

  /// Adds events to the open frame of their device.
  mutating func add(_ event: ControlEvent) {
    // What was lost was lost before these values, wherever the line stands.
    let isFirst = event.kind == .lost
    if let index = open[event.device], case .frame(let device, var events) = parts[index] {
      parts[index] = .taken
      if isFirst {
        events.insert(event, at: events.first?.kind == .plugged ? 1 : 0)
      } else {
        events.append(event)
      }
      parts[index] = .frame(device: device, events)
    } else {
      open[event.device] = parts.count
      parts.append(.frame(device: event.device, [event]))
    }
  }

  /// Ends the open frame of `device`: what follows at the same time is another one.
  mutating func close(_ device: DeviceIndex) { open[device] = nil }

  /// Adds what is no frame, after what came before it.
  mutating func add(_ item: TakeReader.Item) { parts.append(.item(item)) }

  /// Appends everything gathered to `items`, each frame with its end, and starts anew.
  mutating func flush(into items: inout [TakeReader.Item]) {
    for part in parts {
      switch part {
      case .item(let item): items.append(item)
      case .taken: break
      case .frame(let device, var events):
        events.append(ControlEvent(.frameEnd, time: events[0].time, device: device))
        items.append(.frame(events))
      }
    }
    parts.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
  }
}
