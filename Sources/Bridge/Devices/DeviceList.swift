import DeviceWatch
import EvdevInput
public import Events
import LinuxIO
import Mapping

/// The controllers and motion sensors that are there, without opening them: `sonde devices`.
public final class DeviceList {
  /// One device, as a mapping would name it.
  public struct Entry: Sendable {
    public var description: DeviceDescription
    /// What tells it from its twins.
    public var identity: String
    /// Its nodes, each with what keeps it from being read, if anything does.
    public var nodes: [(path: String, role: String, problem: String?)]
  }

  private let monitor: DeviceMonitor
  private var inventory = DeviceInventory()

  /// - Throws: `SessionError.system` when the system gives no device monitor.
  public init() throws(SessionError) {
    do throws(SystemError) { monitor = try DeviceMonitor([.input]) } catch {
      throw .system(error)
    }
  }

  /// To wait for; readable when something came or left.
  public var descriptor: Int32 { monitor.descriptor }

  /// Looks at what came and left; the first call sees everything that is there.
  ///
  /// - Returns: whether anything changed.
  public func update() -> Bool {
    var hasChanged = false
    for change in monitor.changes() {
      switch change.action {
      case .added, .changed: if inventory.add(change.node) != nil { hasChanged = true }
      case .removed: if inventory.remove(change.node.systemPath) != nil { hasChanged = true }
      }
    }
    return hasChanged
  }

  /// The devices, in the order of their numbers.
  public var entries: [Entry] {
    let devices = inventory.devices.values.sorted { $0.index < $1.index }
    var matching = DeviceMatching([])
    _ = matching.update(devices.map { ($0.index, $0.description) })
    return devices.map { device in
      Entry(
        description: device.description,
        identity: matching.identity(of: device.index)?.label ?? "",
        nodes: device.nodes.values.sorted { $0.node.number < $1.node.number }.map { node in
          (node.node.path, node.role.rawValue, problem(node.node))
        })
    }
  }

  private func problem(_ node: DeviceNode) -> String? {
    if isReadable(node.path) { return nil }
    return unreadableSentence(
      node.path, node.name, fileExists(node.path) ? .noPermission : .notFound)
  }
}
