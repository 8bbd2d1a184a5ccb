import Glibc

/// One event node of the kernel, as sysfs describes it.
public struct InputNode: Sendable, Equatable {
  /// The number in `eventN`.
  public let number: Int
  public let name: String

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
        let name = TextFiles.read("/sys/class/input/\(entry)/device/name")
      else { return nil }
      return InputNode(number: number, name: name)
    }.sorted { $0.number < $1.number }
  }

  /// The nodes that the kernel made of the HID device plugged in at `physicalPath`.
  public static func ofHIDDevice(at physicalPath: String) -> [InputNode] {
    all().filter { node in
      TextFiles.read("\(node.folder)/device/uevent")?.split(separator: "\n")
        .contains("HID_PHYS=\(physicalPath)") ?? false
    }
  }

  // udev's own record of a device exists once its rules have run (systemd: src/libsystemd/sd-device).
  private var udevRecord: String? {
    guard let number = TextFiles.read("/sys/class/input/event\(self.number)/dev") else {
      return nil
    }
    return "/run/udev/data/c\(number)"
  }

  /// Whether udev has run its rules for the node.
  public var isAnnounced: Bool { udevRecord.map { access($0, F_OK) == 0 } ?? false }

  /// The tags that udev's rules gave the node.
  public var tags: [String] {
    udevRecord.flatMap(TextFiles.read)?.split(separator: "\n").filter { $0.hasPrefix("G:") }
      .map { String($0.dropFirst(2)) } ?? []
  }

  /// The properties that udev's rules gave the node, `ID_INPUT_JOYSTICK=1`.
  public var udevProperties: [String] {
    udevRecord.flatMap(TextFiles.read)?.split(separator: "\n").filter { $0.hasPrefix("E:") }
      .map { String($0.dropFirst(2)) } ?? []
  }

  /// The device file's permissions and owners, or nil when it is gone.
  public var permissions: (mode: UInt32, user: UInt32, group: UInt32)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (status.st_mode & 0o7777, status.st_uid, status.st_gid)
  }
}
