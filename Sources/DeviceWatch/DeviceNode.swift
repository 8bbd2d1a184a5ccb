/// One device node of the system, as udev and sysfs describe it.
public struct DeviceNode: Sendable, Equatable {
  /// What is watched, and which nodes of it: input's `event*`, IIO's `iio:device*`, sound's `controlC*`.
  public enum Subsystem: String, Sendable, CaseIterable {
    case input, iio, sound

    /// What the wanted nodes are called; `js0`, `input5` and `pcmC0D0p` are left out.
    var nodePrefix: String {
      switch self {
      case .input: "event"
      case .iio: "iio:device"
      case .sound: "controlC"
      }
    }

    /// The sysfs attributes that are read, of the node's input device or of the node itself.
    var attributeNames: [String] {
      switch self {
      case .input:
        [
          "name", "uniq", "phys", "properties", "id/bustype", "id/vendor", "id/product",
          "id/version", "capabilities/ev", "capabilities/key", "capabilities/abs",
          "capabilities/msc",
        ]
      case .iio: ["name", "label"]
      case .sound: []
      }
    }
  }

  public var subsystem: Subsystem
  /// The path in /sys: its identity while it is plugged in.
  public var systemPath: String
  /// The path in /dev.
  public var path: String
  /// 5 for `/dev/input/event5`.
  public var number: Int
  /// What sysfs says, without its line end: `name`, `uniq`, `id/vendor`, `capabilities/abs` … An absent one is missing.
  public var attributes: [String: String] = [:]
  /// What udev says: `ID_INPUT_ACCELEROMETER`, `ID_PATH` … Empty where udevd does not run.
  public var properties: [String: String] = [:]
  /// The path in /sys of what unites the nodes of one thing: the HID device, else what the node's input device
  /// hangs on, else (made by a program) the input device itself.
  public var parent: String
  /// The path in /sys of the USB device that it belongs to, if any.
  public var usbDevice: String?
  /// The serial number of the USB device, or empty.
  public var serial: String = ""
  /// The kernel driver of `parent` (`playstation`, `xpad`, `nintendo`), or empty.
  public var driver: String = ""

  public init(
    subsystem: Subsystem, systemPath: String, path: String, number: Int, parent: String
  ) {
    self.subsystem = subsystem
    self.systemPath = systemPath
    self.path = path
    self.number = number
    self.parent = parent
  }

  /// What the device calls itself, or empty.
  public var name: String { attributes["name"] ?? "" }
  /// Its unique identifier (a MAC address, mostly), or empty.
  public var uniq: String { attributes["uniq"] ?? "" }
  /// Where the driver says it is plugged in, or empty.
  public var phys: String { attributes["phys"] ?? "" }
  public var bus: UInt16 { identifier("id/bustype") }
  public var vendor: UInt16 { identifier("id/vendor") }
  public var product: UInt16 { identifier("id/product") }
  public var version: UInt16 { identifier("id/version") }

  /// Where it is plugged in, the same after a replug into the same socket: udev's path, else the driver's, else empty.
  public var socket: String { properties["ID_PATH"] ?? phys }

  private func identifier(_ attribute: String) -> UInt16 {
    attributes[attribute].flatMap { UInt16($0, radix: 16) } ?? 0
  }
}

/// A node that came, left, or is described differently now (its permissions, mostly).
public struct DeviceChange: Sendable, Equatable {
  public enum Action: Sendable { case added, removed, changed }

  public var action: Action
  /// For `removed`, as it was when it came.
  public var node: DeviceNode

  public init(_ action: Action, _ node: DeviceNode) {
    self.action = action
    self.node = node
  }
}
