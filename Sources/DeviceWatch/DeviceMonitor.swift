public import LinuxIO

/// Tells which device nodes are there, come and go.
///
/// One thread, that of CONTROL. No node is missed between the first look and the watching: the watching starts first.
public final class DeviceMonitor {
  /// Who announces the nodes.
  public enum Source: String, Sendable {
    /// udevd: its rules have run, so permissions and properties are final.
    case udev
    /// The kernel, because udevd does not run: permissions are as the kernel makes them (root's).
    case kernel
  }

  public let source: Source
  /// To register with `EventPoll`; readable when `changes` has something.
  public var descriptor: Int32 { udev.descriptor }

  private let udev: Udev
  private var known = KnownNodes()
  private var isFirst = true

  /// Starts to watch. Nothing plugged in is no error.
  ///
  /// - Parameter source: nil chooses: udev where udevd runs.
  /// - Throws: `SystemError` when the system gives no monitor at all.
  public init(_ subsystems: [DeviceNode.Subsystem] = [.input], source: Source? = nil)
    throws(SystemError)
  {
    // udevd's own socket: libudev looks for it too, and gives a monitor that stays silent without it.
    let source = source ?? (fileExists("/run/udev/control") ? .udev : .kernel)
    self.source = source
    udev = try Udev(subsystems, monitoring: source.rawValue)
  }

  /// What changed since the last call; the first call gives every node that is there as added.
  public func changes() -> [DeviceChange] {
    var found: [DeviceChange] = []
    if isFirst {
      isFirst = false
      found += look()
    }
    while true {
      switch udev.receive() {
      case .change(let action, let node): found += known.note(action, node)
      case .overrun: found += look()
      case .nothing: return found
      }
    }
  }

  private func look() -> [DeviceChange] {
    // A node that udevd has not finished comes from the monitor, with the right permissions.
    let present = udev.enumerate(onlyInitialized: source == .udev)
    return known.keep(Set(present.map(\.systemPath))) + present.flatMap { known.note(.added, $0) }
  }
}
