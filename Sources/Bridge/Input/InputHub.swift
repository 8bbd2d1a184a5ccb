import DeviceWatch
import EvdevInput
import Events
import LinuxIO
import Mapping

/// CONTROL's side of the input: follows devices as they come and go, opens them, and hands them to INPUT.
///
/// Call `service` when one of `descriptors` is readable, and at least ten times a second.
final class InputHub {
  private enum Access {
    /// Open since `time`; the schedule of its retries goes on should it close at once.
    case open(RetrySchedule, since: Nanoseconds)
    /// Refused or vanished; tried again.
    case failing(RetrySchedule)
    /// Nothing that can be used; the reason is in the report.
    case unusable
  }

  /// The nodes of one device come one after the other; it is told when they have had so long.
  private static let arrivalTime: Nanoseconds = 100_000_000
  /// What closes before it was open so long counts as refused.
  private static let shortLife: Nanoseconds = 1_000_000_000

  let thread: InputThread
  let runtime: Runtime
  let roster: DeviceRoster
  private var program: Program
  private let isRecordingRaw: Bool
  private let report: (InputReport) -> Void

  private let nodes: NodeSource
  private var inventory = DeviceInventory()
  private var access: [String: Access] = [:]
  /// The open nodes of each device that is announced, by their paths in /sys.
  private var openNodes: [DeviceIndex: [(systemPath: String, reader: EvdevReader)]] = [:]
  /// Devices that came and were not told yet, with the time at which they will be.
  private var arrivals: [DeviceIndex: Nanoseconds] = [:]
  /// The latest time that an event of a device had whose nodes leave one by one.
  private var latestTimes: [DeviceIndex: Nanoseconds] = [:]
  private var statisticsList = DeviceStatisticsList()
  private let buffer = EventBuffer(capacity: 1024)

  /// What is known of every device, also of the last one that had a number and left.
  var descriptions: [DeviceIndex: DeviceDescription] { roster.descriptions }

  /// How all devices have been doing, also those that left.
  var statistics: [DeviceStatistics] { statisticsList.statistics }

  /// - Parameters:
  ///   - output: the ring to the engine.
  ///   - isLive: whether to look for devices at all.
  ///   - isRecordingRaw: whether undecoded events are told as well.
  /// - Throws: `SystemError` when the system gives no descriptors.
  convenience init(
    _ program: Program, output: SPSCRing<EngineCommand>, isLive: Bool,
    isRecordingRaw: Bool = false, report: @escaping (InputReport) -> Void
  ) throws(SystemError) {
    try self.init(
      program, output: output, isRecordingRaw: isRecordingRaw,
      nodes: isLive ? NodeSource.system() : .none, report: report)
  }

  /// The same with nodes from elsewhere.
  init(
    _ program: Program, output: SPSCRing<EngineCommand>, isRecordingRaw: Bool,
    nodes: NodeSource, report: @escaping (InputReport) -> Void
  ) throws(SystemError) {
    self.program = program
    self.isRecordingRaw = isRecordingRaw
    self.report = report
    runtime = Runtime(program, output: output)
    thread = try InputThread(runtime: runtime)
    roster = DeviceRoster(program.description.devices)
    self.nodes = nodes
  }

  /// What to wait for.
  var descriptors: [Int32] {
    [thread.noticed.descriptor] + (nodes.descriptor.map { [$0] } ?? [])
  }

  /// Does what there is to do: devices that came or left, nodes to try again, what INPUT gave back.
  func service(at time: Nanoseconds) {
    thread.noticed.clear()
    thread.observe(at: time)
    takeNotices(at: time)
    takeChanges(at: time)
    retry(at: time)
    tellArrivals(at: time)
  }

  /// Ends INPUT: everything held is released, every node closed.
  func stop(at time: Nanoseconds) {
    thread.stop()
    while let notice = thread.notices.pop() {
      notice.closed?.release()
      notice.retired?.release()
    }
    // The thread has ended, so its end of the ring is free.
    while let request = thread.requests.pop() { request.release() }
    statisticsList.finish()
    openNodes.removeAll()
    access.removeAll()
  }

  /// Hands a request to INPUT, waiting while its ring is full.
  func send(_ request: InputRequest) {
    while !thread.requests.push(request) {
      thread.wake()
      sleepUntil(monotonicNow() + 1_000_000)
    }
    thread.wake()
  }

  private func send(_ requests: [InputRequest]) {
    for request in requests { send(request) }
  }

  // MARK: Nodes that come and go

  private func takeChanges(at time: Nanoseconds) {
    var added: [String] = []
    for change in nodes.changes() {
      let path = change.node.systemPath
      switch change.action {
      case .added:
        if inventory.add(change.node) != nil { added.append(path) }
      case .changed:
        // Its access may have changed; an open node stays open.
        if case .failing(var schedule)? = access[path] {
          schedule.hurry()
          access[path] = .failing(schedule)
        } else if access[path] == nil, inventory.add(change.node) != nil {
          added.append(path)
        }
      case .removed:
        _ = inventory.remove(path)
        // INPUT gives an open one back; a new one of that path must not wait for it.
        access[path] = nil
      }
    }
    for path in inventory.openingOrder(of: added) { open(path, at: time) }
  }

  private func retry(at time: Nanoseconds) {
    for (path, state) in access {
      if case .failing(let schedule) = state, schedule.next <= time { open(path, at: time) }
    }
  }

  private func open(_ systemPath: String, at time: Nanoseconds) {
    guard
      let device = inventory.devices.values.first(where: { $0.nodes[systemPath] != nil }),
      let node = device.nodes[systemPath]
    else {
      access[systemPath] = nil
      return
    }
    do throws(EvdevError) {
      let reader = try EvdevReader(
        path: node.node.path, device: device.index,
        number: UInt16(truncatingIfNeeded: node.node.number), driver: node.node.driver,
        raw: rawSelection(for: node.role), open: nodes.open)
      if !isStill(node.node.path, systemPath) {
        throw .cannotOpen(SystemError(.noSuchDevice, call: "open", path: node.node.path))
      }
      var schedule = RetrySchedule(at: time)
      if case .failing(let known)? = access[systemPath] { schedule = known }
      if schedule.wasReported { report(.readable(path: node.node.path)) }
      access[systemPath] = .open(schedule, since: time)
      announce(device, systemPath, reader, at: time)
    } catch {
      failed(systemPath, node, error, at: time)
    }
  }

  private func rawSelection(for role: EvdevNode.Role) -> RawSelection {
    let node: ControlID.Node =
      switch role {
      case .pad: .pad
      case .motion: .motion
      case .touchpad: .touchpad
      }
    let wanted = program.description.routes.map(\.control).filter { $0.isRaw && $0.rawNode == node }
    let selection = RawSelection(wanted)
    selection.isRecording = isRecordingRaw
    return selection
  }

  private func announce(
    _ device: DeviceInventory.Device, _ systemPath: String, _ reader: EvdevReader,
    at time: Nanoseconds
  ) {
    let isFirst = openNodes[device.index] == nil
    openNodes[device.index, default: []].append((systemPath, reader))
    statisticsList.opened(reader, of: device.index, device.description)
    send(roster.set(device.index, description(of: device), at: time))
    if isFirst { send(.event(ControlEvent(.plugged, time: time, device: device.index))) }
    buffer.removeAll()
    reader.start(time, into: buffer)
    for position in 0..<buffer.count { send(.event(buffer.event(at: position))) }
    send(.open(reader, device: device.index))
    if isFirst { arrivals[device.index] = time + InputHub.arrivalTime }
  }

  private func tellArrivals(at time: Nanoseconds) {
    for (device, due) in arrivals.sorted(by: { $0.key < $1.key }) where due <= time {
      arrivals[device] = nil
      guard let description = roster.present[device] else { continue }
      let names = roster.names(of: device)
      let identity = roster.identity(of: device)?.label ?? ""
      statisticsList.named(device, names, identity: identity)
      report(.plugged(device, description, names: names, identity: identity))
    }
  }

  /// The device with the controls of those nodes that can be read.
  private func description(of device: DeviceInventory.Device) -> DeviceDescription {
    var description = device.description
    let readable = (openNodes[device.index] ?? []).flatMap { open in
      device.nodes[open.systemPath]?.evdev.controls ?? []
    }
    description.controls = description.controls.filter { readable.contains($0) }
    return description
  }

  private func failed(
    _ systemPath: String, _ node: DeviceInventory.Node, _ error: EvdevError, at time: Nanoseconds
  ) {
    let reason: ErrorNumber
    switch error {
    case .cannotOpen(let error): reason = error.number
    // It left while it was opened.
    case .notAnEventNode(_, .noSuchDevice): reason = .noSuchDevice
    default:
      access[systemPath] = .unusable
      return report(.unreadable(path: node.node.path, error.description + "."))
    }
    var schedule: RetrySchedule
    if case .failing(let known)? = access[systemPath] {
      schedule = known
    } else {
      schedule = RetrySchedule(at: time)
    }
    if schedule.failed(at: time) {
      report(
        .unreadable(
          path: node.node.path, unreadableSentence(node.node.path, node.node.name, reason)))
    }
    access[systemPath] = .failing(schedule)
  }

  // MARK: What INPUT gives back

  private func takeNotices(at time: Nanoseconds) {
    while let notice = thread.notices.pop() {
      if let program = notice.retired { program.release() }
      guard let closed = notice.closed else { continue }
      let reader = closed.takeRetainedValue()
      close(reader, notice.device, at: time)
    }
  }

  private func close(_ reader: EvdevReader, _ device: DeviceIndex, at time: Nanoseconds) {
    guard let place = openNodes[device]?.firstIndex(where: { $0.reader === reader }) else { return }
    let systemPath = openNodes[device]![place].systemPath
    openNodes[device]!.remove(at: place)
    statisticsList.closed(reader)
    latestTimes[device] = max(latestTimes[device] ?? .none, reader.latestTime)
    let hasNode = inventory.devices[device]?.nodes[systemPath] != nil
    if hasNode, case .open(var schedule, let since)? = access[systemPath] {
      // A node that is still there was revoked, or INPUT cannot take it: try it again.
      if time - since >= InputHub.shortLife {
        schedule = RetrySchedule(at: time)
      } else if schedule.failed(at: time) {
        report(
          .unreadable(path: reader.path, "\(reader.path) (\(reader.node.name)) closes at once."))
      }
      access[systemPath] = .failing(schedule)
    }
    if openNodes[device]!.isEmpty {
      openNodes[device] = nil
      let description = roster.present[device]
      // Samples of a sensor may be some milliseconds ahead of their arrival; the device leaves after its last one.
      let latest = latestTimes.removeValue(forKey: device) ?? .none
      let end = max(time, latest == .none ? time : latest + 1000)
      send(.event(ControlEvent(.unplugged, time: end, device: device)))
      send(roster.remove(device, at: time))
      // What was not told to have come did not leave.
      if arrivals.removeValue(forKey: device) != nil { return }
      if let description { report(.unplugged(device, description)) }
    } else {
      release(reader, device, at: time)
      if let entry = inventory.devices[device] {
        send(roster.set(device, description(of: entry), at: time))
      } else if var description = roster.present[device] {
        description.controls.removeAll { reader.node.controls.contains($0) }
        send(roster.set(device, description, at: time))
      }
    }
  }

  /// Releases the buttons of a node that left while the rest of its device is still there.
  private func release(_ reader: EvdevReader, _ device: DeviceIndex, at time: Nanoseconds) {
    for control in Control.all where control.kind == .button {
      if reader.node.has(control) {
        send(.event(ControlEvent(.value, time: time, device: device, control: control.id)))
      }
    }
    send(.event(ControlEvent(.frameEnd, time: time, device: device)))
  }
}

/// What to say of a node that may not be read, and what to do.
func unreadableSentence(_ path: String, _ name: String, _ number: ErrorNumber) -> String {
  if number == .noPermission || number == .notPermitted {
    return """
      \(path) (\(name)) cannot be read: you have no permission. Install the device rules with \
      'sudo make install' and plug it in again; on a machine without a screen also join its group: \
      sudo usermod -aG input "$USER".
      """
  }
  return "\(path) (\(name)) cannot be opened: \(number)."
}

extension EvdevNode {
  /// Whether a control of the language is one of the node's, alone or in a group.
  fileprivate func has(_ control: Control) -> Bool {
    controls.contains { group in control.name == group || control.name.hasPrefix(group) }
  }
}
