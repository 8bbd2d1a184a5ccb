/// The nodes that are there, so that what enumeration and monitor both saw is told once.
struct KnownNodes {
  private var nodes: [String: DeviceNode] = [:]

  /// Notes what was seen, and returns what is new about it, in order.
  mutating func note(_ action: DeviceChange.Action, _ node: DeviceNode) -> [DeviceChange] {
    let known = nodes[node.systemPath]
    switch action {
    case .added, .changed:
      nodes[node.systemPath] = node
      guard let known else { return [DeviceChange(.added, node)] }
      if known == node { return action == .changed ? [DeviceChange(.changed, node)] : [] }
      // The same number, but another thing behind it: its removal was not seen.
      if !known.isSameThing(as: node) {
        return [DeviceChange(.removed, known), DeviceChange(.added, node)]
      }
      return [DeviceChange(.changed, node)]
    case .removed:
      nodes[node.systemPath] = nil
      // Its attributes are gone from sysfs by now, so tell what is remembered.
      return known.map { [DeviceChange(.removed, $0)] } ?? []
    }
  }

  /// Removes what is not among `present`: after the monitor itself lost messages.
  mutating func keep(_ present: Set<String>) -> [DeviceChange] {
    let gone = nodes.values.filter { !present.contains($0.systemPath) }
    for node in gone { nodes[node.systemPath] = nil }
    return gone.sorted { $0.systemPath < $1.systemPath }.map { DeviceChange(.removed, $0) }
  }
}

extension DeviceNode {
  fileprivate func isSameThing(as other: DeviceNode) -> Bool {
    path == other.path && parent == other.parent && attributes == other.attributes
  }
}
