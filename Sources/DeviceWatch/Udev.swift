import CUdev
import Glibc
import LinuxIO

/// The one place that calls libudev.
final class Udev {
  enum Received {
    case change(DeviceChange.Action, DeviceNode)
    /// Messages were lost: look at everything again.
    case overrun
    case nothing
  }

  private let context: OpaquePointer
  private let monitor: OpaquePointer
  private let subsystems: [DeviceNode.Subsystem]
  let descriptor: Int32

  init(_ subsystems: [DeviceNode.Subsystem], monitoring source: String) throws(SystemError) {
    guard let context = udev_new() else { throw SystemError(.noMemory, call: "udev_new") }
    guard let monitor = udev_monitor_new_from_netlink(context, source) else {
      let number = ErrorNumber(rawValue: errno)
      udev_unref(context)
      throw SystemError(number, call: "udev_monitor_new_from_netlink")
    }
    self.context = context
    self.monitor = monitor
    self.subsystems = subsystems
    descriptor = udev_monitor_get_fd(monitor)
    for subsystem in subsystems {
      udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem.rawValue, nil)
    }
    // A hub full of pads announces some hundred messages at once; without the right for more it stays as it is.
    _ = udev_monitor_set_receive_buffer_size(monitor, 4 << 20)
    let refusal = udev_monitor_enable_receiving(monitor)
    if refusal < 0 {
      throw SystemError(ErrorNumber(rawValue: -refusal), call: "udev_monitor_enable_receiving")
    }
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(context)
  }

  /// Every wanted node that is there, in the order of their numbers.
  func enumerate(onlyInitialized: Bool) -> [DeviceNode] {
    guard let enumeration = udev_enumerate_new(context) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    for subsystem in subsystems {
      udev_enumerate_add_match_subsystem(enumeration, subsystem.rawValue)
    }
    if onlyInitialized { udev_enumerate_add_match_is_initialized(enumeration) }
    udev_enumerate_scan_devices(enumeration)
    var nodes: [DeviceNode] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      if let path = udev_list_entry_get_name(current),
        let device = udev_device_new_from_syspath(context, path)
      {
        if let node = describe(device) { nodes.append(node) }
        udev_device_unref(device)
      }
      entry = udev_list_entry_get_next(current)
    }
    return nodes.sorted { ($0.subsystem.rawValue, $0.number) < ($1.subsystem.rawValue, $1.number) }
  }

  /// The next message about a wanted node; never waits.
  func receive() -> Received {
    while true {
      errno = 0
      guard let device = udev_monitor_receive_device(monitor) else {
        // Something was there but could not be used: it was lost (ENOBUFS), or was not for us.
        return errno == ENOBUFS ? .overrun : .nothing
      }
      defer { udev_device_unref(device) }
      let action: DeviceChange.Action
      switch text(udev_device_get_action(device)) {
      case "add": action = .added
      case "remove": action = .removed
      case "change", "move", "bind", "unbind": action = .changed
      default: continue
      }
      if let node = describe(device) { return .change(action, node) }
    }
  }

  private func describe(_ device: OpaquePointer) -> DeviceNode? {
    guard let name = text(udev_device_get_sysname(device)),
      let subsystemName = text(udev_device_get_subsystem(device)),
      let subsystem = DeviceNode.Subsystem(rawValue: subsystemName),
      name.hasPrefix(subsystem.nodePrefix),
      let number = Int(name.dropFirst(subsystem.nodePrefix.count)),
      let systemPath = text(udev_device_get_syspath(device)),
      let path = text(udev_device_get_devnode(device))
    else { return nil }

    // Parents belong to their child and live as long.
    let holder =
      subsystem == .input
      ? udev_device_get_parent_with_subsystem_devtype(device, "input", nil) ?? device : device
    let parent =
      udev_device_get_parent_with_subsystem_devtype(holder, "hid", nil)
      ?? udev_device_get_parent(holder)
      ?? holder
    var node = DeviceNode(
      subsystem: subsystem, systemPath: systemPath, path: path, number: number,
      parent: text(udev_device_get_syspath(parent)) ?? systemPath)
    node.driver = text(udev_device_get_driver(parent)) ?? ""
    for attribute in subsystem.attributeNames {
      node.attributes[attribute] = text(udev_device_get_sysattr_value(holder, attribute))
    }
    if let usb = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device") {
      node.usbDevice = text(udev_device_get_syspath(usb))
      node.serial = text(udev_device_get_sysattr_value(usb, "serial")) ?? ""
    }
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      if let key = text(udev_list_entry_get_name(current)), key.hasPrefix("ID_") {
        node.properties[key] = text(udev_list_entry_get_value(current))
      }
      entry = udev_list_entry_get_next(current)
    }
    return node
  }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  pointer.map { String(cString: $0) }
}
