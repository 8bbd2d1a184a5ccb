import DeviceWatch
import EvdevInput
import LinuxIO

/// Where nodes are seen and how they are opened: the system's, or a test's.
struct NodeSource {
  /// Readable when `changes` has something, or nil where there is nothing to wait for.
  let descriptor: Int32?
  /// What changed since the last call; the first call gives everything that is there.
  let changes: () -> [DeviceChange]
  let open: EvdevReader.Opener

  init(
    descriptor: Int32?, changes: @escaping () -> [DeviceChange],
    open: @escaping EvdevReader.Opener
  ) {
    self.descriptor = descriptor
    self.changes = changes
    self.open = open
  }

  /// The nodes of the system.
  ///
  /// - Throws: `SystemError` when it gives no device monitor.
  static func system() throws(SystemError) -> NodeSource {
    let monitor = try DeviceMonitor([.input])
    return NodeSource(
      descriptor: monitor.descriptor, changes: { monitor.changes() },
      open: { path throws(SystemError) in
        try FileDescriptor(opening: path, nonBlocking: true)
      })
  }

  /// No nodes at all, as where a take stands in for them.
  static var none: NodeSource {
    NodeSource(
      descriptor: nil, changes: { [] },
      open: { path throws(SystemError) in
        throw SystemError(.notFound, call: "open", path: path)
      })
  }
}

/// Whether the node that has a path in /dev now is the one with `systemPath`.
///
/// Numbers are used again at once: between the leaving of a pad and the news of it, its path can be another one's.
func isStill(_ path: String, _ systemPath: String) -> Bool {
  guard let name = path.split(separator: "/").last,
    let found = try? realPath("/sys/class/input/\(name)")
  else { return true }
  return found == systemPath
}
