import LinuxIO
import Synchronization

/// A HID device made by this process through /dev/uhid: the kernel picks its own driver for it, as for a real one.
///
/// A thread of its own answers the driver's questions, as the driver may ask while `plug` still runs and gives
/// up after 5 s. The device leaves with `unplug()`, or when the object goes.
public final class VirtualHIDDevice: Sendable {
  public enum Bus: UInt16, Sendable {
    case usb = 3
    case bluetooth = 5
    case i2c = 0x18
  }

  /// What the kernel is told of the device.
  public struct Identity: Sendable {
    public var name: String
    /// Found again in sysfs as HID_PHYS; different for every device plugged in at the same time.
    public var physicalPath: String
    public var uniq: String
    public var bus: Bus
    public var vendor: UInt16
    public var product: UInt16
    public var version: UInt16

    public init(
      name: String, physicalPath: String, uniq: String = "", bus: Bus = .usb, vendor: UInt16,
      product: UInt16, version: UInt16 = 0x100
    ) {
      self.name = name
      self.physicalPath = physicalPath
      self.uniq = uniq
      self.bus = bus
      self.vendor = vendor
      self.product = product
      self.version = version
    }
  }

  public enum ReportKind: UInt8, Sendable {
    case feature = 0
    case output = 1
    case input = 2
  }

  /// Gives a report with this id, the id first, or nil to refuse.
  public typealias Answer = @Sendable (_ id: UInt8, _ kind: ReportKind) -> [UInt8]?
  /// Takes a report that the driver set or sent, the id first.
  public typealias Receive = @Sendable (_ report: [UInt8], _ kind: ReportKind) -> Void

  public let identity: Identity
  /// When it was plugged in, on CLOCK_MONOTONIC in nanoseconds.
  public let plugTime: Int64
  // The thread holds the connection, not the device, so that a forgotten device still leaves.
  private let connection: UHIDConnection
  private let thread: Mutex<BackgroundThread?>

  /// Plugs the device in.
  ///
  /// - Throws: `SystemCallError` when /dev/uhid cannot be used.
  public init(
    _ identity: Identity, descriptor: [UInt8], answer: @escaping Answer = { _, _ in nil },
    receive: @escaping Receive = { _, _ in }
  ) throws {
    self.identity = identity
    plugTime = monotonicNow()
    let connection = try UHIDConnection()
    self.connection = connection
    var message = UHIDConnection.message(.create)
    message.put(identity.name, at: 4, size: 128)
    message.put(identity.physicalPath, at: 132, size: 64)
    message.put(identity.uniq, at: 196, size: 64)
    message.put(UInt16(descriptor.count), at: 260)
    message.put(identity.bus.rawValue, at: 262)
    message.put(UInt32(identity.vendor), at: 264)
    message.put(UInt32(identity.product), at: 268)
    message.put(UInt32(identity.version), at: 272)
    message.replaceSubrange(280..<(280 + descriptor.count), with: descriptor)
    try connection.write(message)
    thread = Mutex(
      try BackgroundThread { connection.serve(answer: answer, receive: receive) })
  }

  deinit { unplug() }

  /// The number of times that the driver holds the device open now.
  public var openCount: Int { connection.users.load(ordering: .acquiring) }

  /// Sends one input report, the id first where reports have ids.
  ///
  /// - Throws: `SystemCallError`.
  public func send(_ report: [UInt8]) throws {
    var message = [UInt8](repeating: 0, count: 6)
    message.put(UHIDConnection.Message.input.rawValue, at: 0)
    message.put(UInt16(report.count), at: 4)
    try connection.write(message + report)
  }

  /// Pulls the device out; does nothing the second time.
  public func unplug() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    connection.stopping.store(true, ordering: .releasing)
    thread.join()
    try? connection.write(UHIDConnection.message(.destroy))
  }
}
