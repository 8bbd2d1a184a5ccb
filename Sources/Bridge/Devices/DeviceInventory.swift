import DeviceWatch
import EvdevInput
import Events

/// Which physical devices the nodes of the system make up: a pad, its motion sensors and its touchpad are one.
///
/// Pure: knows nodes by what udev and sysfs say, and opens nothing.
struct DeviceInventory {
  struct Node {
    let node: DeviceNode
    let role: EvdevNode.Role

    var evdev: EvdevNode { EvdevNode(attributes: node.attributes, driver: node.driver) }
  }

  /// One physical device.
  struct Device {
    let index: DeviceIndex
    let parent: String
    var description: DeviceDescription
    /// Its nodes, by their paths in /sys.
    var nodes: [String: Node]
  }

  /// The devices, by number.
  private(set) var devices: [DeviceIndex: Device] = [:]
  private let capacity: DeviceIndex
  /// Numbers are given in turn, so that one rests before it is used again: what its last device did may still be
  /// under way.
  private var nextIndex: DeviceIndex = 0

  /// - Parameter capacity: how many devices there may be at one time.
  init(capacity: DeviceIndex = 32) {
    self.capacity = capacity
  }

  /// Adds a node and returns its device; nil for what is not for Sonde (keyboards, mice), or when there is no
  /// number left.
  mutating func add(_ node: DeviceNode) -> Device? {
    guard node.subsystem == .input,
      let role = EvdevNode(attributes: node.attributes, driver: node.driver).role
    else { return nil }
    let added = Node(node: node, role: role)
    if var device = devices.values.first(where: { $0.parent == node.parent }) {
      device.nodes[node.systemPath] = added
      device.description = DeviceInventory.description(of: Array(device.nodes.values))
      devices[device.index] = device
      return device
    }
    let order = Array(nextIndex..<capacity) + Array(0..<nextIndex)
    guard let index = order.first(where: { devices[$0] == nil }) else { return nil }
    nextIndex = (index + 1) % capacity
    let device = Device(
      index: index, parent: node.parent, description: DeviceInventory.description(of: [added]),
      nodes: [node.systemPath: added])
    devices[index] = device
    return device
  }

  /// Removes a node and returns its device as it is without it; a device without nodes is forgotten.
  mutating func remove(_ systemPath: String) -> Device? {
    guard var device = devices.values.first(where: { $0.nodes[systemPath] != nil }) else {
      return nil
    }
    device.nodes[systemPath] = nil
    if device.nodes.isEmpty {
      devices[device.index] = nil
    } else {
      // The name and identity stay those of the whole device while some of it is there.
      device.description.controls =
        DeviceInventory.description(of: Array(device.nodes.values)).controls
      devices[device.index] = device
    }
    return device
  }

  /// The nodes in the order in which to open them: pads first and each one's own node first, so that the device is
  /// announced by its name and `motion` is a pad's before it is another sensor's.
  func openingOrder(of systemPaths: [String]) -> [String] {
    let roles: [EvdevNode.Role] = [.pad, .motion, .touchpad]
    func rank(_ path: String) -> (Int, DeviceIndex, Int)? {
      guard let device = devices.values.first(where: { $0.nodes[path] != nil }) else { return nil }
      let role = device.nodes[path].flatMap { roles.firstIndex(of: $0.role) } ?? roles.count
      return (device.description.kind == .gamepad ? 0 : 1, device.index, role)
    }
    let ranked = systemPaths.compactMap { path in rank(path).map { (rank: $0, path: path) } }
    return ranked.sorted { $0.rank < $1.rank }.map(\.path)
  }

  private static func description(of nodes: [Node]) -> DeviceDescription {
    let order: [EvdevNode.Role] = [.pad, .motion, .touchpad]
    let sorted = nodes.sorted {
      (order.firstIndex(of: $0.role) ?? 3, $0.node.number)
        < (order.firstIndex(of: $1.role) ?? 3, $1.node.number)
    }
    let first = sorted[0].node
    let model = sorted[0].evdev.model
    var controls: [String] = []
    for node in sorted { controls += node.evdev.controls.filter { !controls.contains($0) } }
    // The motion node of a known pad is a part of a pad, also while the rest of it is not there yet.
    let isPad = sorted[0].role == .pad || model != nil
    return DeviceDescription(
      kind: isPad ? .gamepad : .imu, name: first.name, model: model, vendor: first.vendor,
      product: first.product, uniq: first.uniq, serial: first.serial, path: first.socket,
      controls: controls)
  }
}
