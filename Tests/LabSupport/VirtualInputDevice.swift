import Glibc
import LinuxIO

/// An input device made by this process through /dev/uinput: any set of axes and keys, bound by no driver.
///
/// Leaves with `unplug()`, or when the object goes. Used by one thread at a time.
/// Protocol: include/uapi/linux/uinput.h.
public final class VirtualInputDevice {
  public struct Axis: Sendable {
    public var code: UInt16
    public var range: ClosedRange<Int32>
    public var fuzz: Int32
    public var flat: Int32
    public var resolution: Int32

    public init(
      _ code: UInt16, _ range: ClosedRange<Int32>, fuzz: Int32 = 0, flat: Int32 = 0,
      resolution: Int32 = 0
    ) {
      self.code = code
      self.range = range
      self.fuzz = fuzz
      self.flat = flat
      self.resolution = resolution
    }
  }

  public struct Profile: Sendable, CustomStringConvertible {
    public var name: String
    public var physicalPath: String
    public var bus: UInt16
    public var vendor: UInt16
    public var product: UInt16
    public var keys: [UInt16]
    public var axes: [Axis]
    public var relativeAxes: [UInt16]
    /// INPUT_PROP_… numbers.
    public var properties: [UInt16]

    public var description: String { name }

    public init(
      name: String, physicalPath: String = "", bus: UInt16 = 3, vendor: UInt16 = 0x1209,
      product: UInt16 = 0x50DE, keys: [UInt16] = [], axes: [Axis] = [], relativeAxes: [UInt16] = [],
      properties: [UInt16] = []
    ) {
      self.name = name
      self.physicalPath = physicalPath
      self.bus = bus
      self.vendor = vendor
      self.product = product
      self.keys = keys
      self.axes = axes
      self.relativeAxes = relativeAxes
      self.properties = properties
    }
  }

  /// One event as the device reports it.
  public struct Event: Sendable {
    public var type: UInt16
    public var code: UInt16
    public var value: Int32

    public static func key(_ code: UInt16, _ isPressed: Bool) -> Event {
      Event(type: 1, code: code, value: isPressed ? 1 : 0)
    }
    public static func axis(_ code: UInt16, _ value: Int32) -> Event {
      Event(type: 3, code: code, value: value)
    }
    public static func relative(_ code: UInt16, _ value: Int32) -> Event {
      Event(type: 2, code: code, value: value)
    }
  }

  // _IO('U', n), _IOW('U', n, int) and the sizes of the structures, as include/uapi/asm-generic/ioctl.h makes them.
  private enum Request {
    static let create: UInt = 0x5501
    static let destroy: UInt = 0x5502
    static let setUp: UInt = 0x405C_5503
    static let setUpAxis: UInt = 0x401C_5504
    static let enableType: UInt = 0x4004_5564
    static let enableKey: UInt = 0x4004_5565
    static let enableRelativeAxis: UInt = 0x4004_5566
    static let enableAxis: UInt = 0x4004_5567
    static let setPhysicalPath: UInt = 0x4008_556C
    static let enableProperty: UInt = 0x4004_556E
    static let systemName: UInt = 0x8040_552C
  }

  public let profile: Profile
  /// When it was plugged in, on CLOCK_MONOTONIC in nanoseconds.
  public let plugTime: Int64
  private var file: Int32

  /// Plugs the device in.
  ///
  /// - Throws: `SystemCallError` when /dev/uinput cannot be used or refuses the profile.
  public init(_ profile: Profile) throws {
    self.profile = profile
    plugTime = monotonicNow()
    file = open("/dev/uinput", O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw SystemCallError("Cannot open /dev/uinput") }
    try enable(Request.enableType, profile.keys.isEmpty ? [] : [1])
    try enable(Request.enableType, profile.relativeAxes.isEmpty ? [] : [2])
    try enable(Request.enableType, profile.axes.isEmpty ? [] : [3])
    try enable(Request.enableKey, profile.keys)
    try enable(Request.enableRelativeAxis, profile.relativeAxes)
    try enable(Request.enableProperty, profile.properties)
    for axis in profile.axes {
      try enable(Request.enableAxis, [axis.code])
      var setup = [UInt8](repeating: 0, count: 28)
      setup.put(axis.code, at: 0)
      let values = [
        axis.range.lowerBound, axis.range.upperBound, axis.fuzz, axis.flat, axis.resolution,
      ]
      for (index, value) in values.enumerated() { setup.put(value, at: 8 + 4 * index) }
      try request(Request.setUpAxis, &setup)
    }
    if !profile.physicalPath.isEmpty {
      var path = Array(profile.physicalPath.utf8) + [0]
      try request(Request.setPhysicalPath, &path)
    }
    var setup = [UInt8](repeating: 0, count: 92)
    for (index, id) in [profile.bus, profile.vendor, profile.product, 1].enumerated() {
      setup.put(id, at: 2 * index)
    }
    setup.put(profile.name, at: 8, size: 80)
    try request(Request.setUp, &setup)
    guard ioctl(file, Request.create) == 0 else { throw SystemCallError("uinput UI_DEV_CREATE") }
  }

  deinit { unplug() }

  /// Reports the events, and a SYN_REPORT after them.
  ///
  /// - Throws: `SystemCallError`.
  public func send(_ events: [Event]) throws {
    // struct input_event: the kernel puts in the time (16 bytes), then type, code and value.
    var bytes = [UInt8](repeating: 0, count: 24 * (events.count + 1))
    for (index, event) in events.enumerated() {
      bytes.put(event.type, at: 24 * index + 16)
      bytes.put(event.code, at: 24 * index + 18)
      bytes.put(event.value, at: 24 * index + 20)
    }
    try writeAll(bytes, to: file, named: "/dev/uinput")
  }

  public func send(_ events: Event...) throws { try send(events) }

  /// Pulls the device out; does nothing the second time.
  public func unplug() {
    guard file >= 0 else { return }
    _ = ioctl(file, Request.destroy)
    close(file)
    file = -1
  }

  /// Waits for the device's event node.
  ///
  /// - Throws: `SystemCallError`, or `ArrivalError` when it is not there after 20 s.
  public func waitForNode() throws -> Arrival {
    var name = [UInt8](repeating: 0, count: 64)
    try request(Request.systemName, &name)
    let folder = "/sys/class/input/" + String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    return try Arrival.wait(for: 1, since: plugTime) {
      let entries = TextFiles.names(in: folder).filter { $0.hasPrefix("event") }
      return InputNode.all().filter { node in entries.contains("event\(node.number)") }
    }
  }

  private func enable(_ code: UInt, _ values: [UInt16]) throws {
    for value in values where ioctl(file, code, CInt(value)) != 0 {
      throw SystemCallError("uinput refuses \(value) of \(profile.name)")
    }
  }

  private func request(_ code: UInt, _ bytes: inout [UInt8]) throws {
    let result = bytes.withUnsafeMutableBytes { ioctl(file, code, $0.baseAddress!) }
    if result < 0 { throw SystemCallError("uinput request \(String(code, radix: 16))") }
  }
}
