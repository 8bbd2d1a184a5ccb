public import Events

/// How one device has been doing during a session, over all the times that it was plugged in.
public struct DeviceStatistics: Sendable, Equatable {
  /// One of its event nodes.
  public struct Node: Sendable, Equatable {
    /// `pad`, `motion` or `touchpad`.
    public var role: String
    public var counts: SourceStatistics

    public init(role: String, counts: SourceStatistics) {
      self.role = role
      self.counts = counts
    }
  }

  /// What the device calls itself.
  public var name: String
  /// The known model, or nil.
  public var model: String?
  /// What tells it from its twins, or empty.
  public var identity = ""
  /// What the mapping calls it, or called it last.
  public var names: [String] = []
  public var isPlugged = true
  /// How often it was plugged in.
  public var plugCount = 1
  public var nodes: [Node] = []

  public init(name: String, model: String? = nil) {
    self.name = name
    self.model = model
  }

  mutating func add(_ counts: SourceStatistics, role: String) {
    if let index = nodes.firstIndex(where: { $0.role == role }) {
      nodes[index].counts.add(counts)
    } else {
      nodes.append(Node(role: role, counts: counts))
    }
  }
}

extension DeviceStatistics {
  /// What a player should know of the device, or nil where all is well.
  public var line: String? {
    var parts: [String] = []
    func count(_ number: Int, _ one: String, _ many: String) {
      if number > 0 { parts.append("\(number) \(number == 1 ? one : many)") }
    }
    count(
      nodes.reduce(0) { $0 + $1.counts.overruns }, "overrun in the kernel", "overruns in the kernel"
    )
    for node in nodes {
      count(node.counts.lostSamples, "\(node.role) sample lost", "\(node.role) samples lost")
      if let delay = node.counts.clock?.delay, delay >= 1_000_000 {
        parts.append(
          "\(node.role) waits \(tenths(delay)) ms, because it comes unevenly "
            + "(by \(tenths(Nanoseconds(node.counts.jitter * 1e9))) ms)")
      }
      if node.counts.worstLateness >= 5_000_000 {
        parts.append("\(node.role) read up to \(tenths(node.counts.worstLateness)) ms late")
      }
    }
    return parts.isEmpty ? nil : "\(name.printable): \(parts.joined(separator: ", "))."
  }

  private func tenths(_ time: Nanoseconds) -> String {
    let tenths = (time + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
