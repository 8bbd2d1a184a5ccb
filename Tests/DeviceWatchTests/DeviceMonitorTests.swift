import DeviceWatch
import LinuxIO
import Testing

/// Who loses this cannot start Sonde in a container or before udevd.
@Suite struct DeviceMonitorTests {
  @Test(arguments: [DeviceMonitor.Source.kernel, .udev])
  func aSystemWithoutDevicesIsNoError(source: DeviceMonitor.Source) throws {
    let monitor = try DeviceMonitor(DeviceNode.Subsystem.allCases, source: source)
    #expect(monitor.source == source)
    #expect(monitor.descriptor >= 0)
    let first = monitor.changes()
    #expect(first.allSatisfy { $0.action == .added })
    #expect(Set(first.map(\.node.systemPath)).count == first.count)
    for change in first where change.node.subsystem == .input {
      #expect(change.node.path == "/dev/input/event\(change.node.number)")
    }
  }
}
