import Glibc

/// One event node of the kernel, as sysfs describes it.
public struct InputNode: Sendable, Equatable {
  /// The number in `eventN`.
  public let number: Int
  public let name: String
  /// The device file's major and minor number, `13:69`.
  let deviceNumber: String

  /// The device file, `/dev/input/eventN`.
  public var path: String { "/dev/input/event\(number)" }
  var folder: String { "/sys/class/input/event\(number)/device" }

  /// Whether the kernel says INPUT_PROP_ACCELEROMETER.
  public var isMotion: Bool {
    guard let words = TextFiles.read("\(folder)/properties"),
      let last = words.split(separator: " ").last, let bits = UInt64(last, radix: 16)
    else { return false }
    return bits & 1 << 6 != 0
  }

  public var uniq: String { TextFiles.read("\(folder)/uniq") ?? "" }

  /// All nodes that are there now, by number.
  public static func all() -> [InputNode] {
    TextFiles.names(in: "/sys/class/input").compactMap { entry -> InputNode? in
      guard entry.hasPrefix("event"), let number = Int(entry.dropFirst(5)),
        let name = TextFiles.read("/sys/class/input/\(entry)/device/name"),
        let deviceNumber = TextFiles.read("/sys/class/input/\(entry)/dev")
      else { return nil }
      return InputNode(number: number, name: name, deviceNumber: deviceNumber)
    }.sorted { $0.number < $1.number }
  }

  /// The nodes that the kernel made of the HID device plugged in at `physicalPath`.
  public static func ofHIDDevice(at physicalPath: String) -> [InputNode] {
    all().filter { node in
      TextFiles.read("\(node.folder)/device/uevent")?.split(separator: "\n")
        .contains("HID_PHYS=\(physicalPath)") ?? false
    }
  }

  // udev's own record of a device (systemd: src/libsystemd/sd-device/device-private.c): there from when its rules
  // have run until it has seen the device leave, which is some time after sysfs has.
  private func udevRecord(_ prefix: String) -> [String] {
    TextFiles.read("/run/udev/data/c\(deviceNumber)")?.split(separator: "\n")
      .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.utf8.count)) } ?? []
  }

  /// When udev had first run its rules for the node, on CLOCK_MONOTONIC in nanoseconds; nil when it has not yet.
  public var announcementTime: Int64? {
    udevRecord("I:").first.flatMap(Int64.init).map { $0 * 1000 }
  }

  /// The tags that udev's rules gave the node.
  public var tags: [String] { udevRecord("G:") }

  /// The properties that udev's rules gave the node, `ID_INPUT_JOYSTICK=1`.
  public var udevProperties: [String] { udevRecord("E:") }

  /// The device file's permissions and owners, or nil when it is gone.
  public var permissions: (mode: UInt32, user: UInt32, group: UInt32)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (status.st_mode & 0o7777, status.st_uid, status.st_gid)
  }
}
