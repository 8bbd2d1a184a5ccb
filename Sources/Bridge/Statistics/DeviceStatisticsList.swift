import EvdevInput
import Events

/// Keeps the statistics of every device of a session, also of those that left. CONTROL only.
struct DeviceStatisticsList {
  private struct Entry {
    let description: DeviceDescription
    /// Its number while it is plugged in.
    var device: DeviceIndex?
    var statistics: DeviceStatistics
    var open: [(role: String, reader: EvdevReader)] = []
  }

  /// Devices that left are forgotten, the oldest first, where there would be more.
  private static let capacity = 64
  private var entries: [Entry] = []

  /// A node of `device` was opened.
  mutating func opened(
    _ reader: EvdevReader, of device: DeviceIndex, _ description: DeviceDescription
  ) {
    let index = place(of: device, description)
    entries[index].open.append((reader.role.rawValue, reader))
    // Nodes are told in the order in which they were opened, the pad's own first, not in that in which they leave.
    entries[index].statistics.add(SourceStatistics(), role: reader.role.rawValue)
  }

  /// What is known of a plugged-in device for people.
  mutating func named(_ device: DeviceIndex, _ names: [String], identity: String) {
    guard let index = entries.firstIndex(where: { $0.device == device }) else { return }
    entries[index].statistics.names = names
    entries[index].statistics.identity = identity
  }

  /// A node was closed; the last one of a device unplugs it.
  mutating func closed(_ reader: EvdevReader) {
    guard
      let index = entries.firstIndex(where: { $0.open.contains { $0.reader === reader } }),
      let place = entries[index].open.firstIndex(where: { $0.reader === reader })
    else { return }
    let (role, _) = entries[index].open.remove(at: place)
    entries[index].statistics.add(reader.statistics, role: role)
    if entries[index].open.isEmpty {
      entries[index].device = nil
      entries[index].statistics.isPlugged = false
    }
  }

  /// The end: every node is closed, whatever is plugged in stays so in the statistics.
  mutating func finish() {
    for index in entries.indices {
      for (role, reader) in entries[index].open {
        entries[index].statistics.add(reader.statistics, role: role)
      }
      entries[index].open = []
    }
  }

  /// How all devices are doing, in the order in which they first came.
  var statistics: [DeviceStatistics] {
    entries.map { entry in
      var statistics = entry.statistics
      for (role, reader) in entry.open { statistics.add(reader.statistics, role: role) }
      return statistics
    }
  }

  private mutating func place(of device: DeviceIndex, _ description: DeviceDescription) -> Int {
    if let index = entries.firstIndex(where: { $0.device == device }) { return index }
    let known = entries.firstIndex { entry in
      entry.device == nil && entry.description.isSame(as: description)
    }
    if let known {
      entries[known].device = device
      entries[known].statistics.isPlugged = true
      entries[known].statistics.plugCount += 1
      return known
    }
    if entries.count == DeviceStatisticsList.capacity,
      let oldest = entries.firstIndex(where: { $0.device == nil })
    {
      entries.remove(at: oldest)
    }
    entries.append(
      Entry(
        description: description, device: device,
        statistics: DeviceStatistics(name: description.name, model: description.model)))
    return entries.count - 1
  }
}
