import Synchronization

/// A DualSense on USB, bound by the kernel's own hid-playstation: a pad, a motion and a touchpad node.
public final class VirtualDualSense: Sendable {
  public let device: VirtualHIDDevice
  /// The pad's MAC address as the driver shows it in `uniq`.
  public let uniq: String
  private let current: Mutex<DualSenseReport>

  /// Plugs the pad in. Two pads at one time need two addresses: the driver refuses the second of equals.
  ///
  /// - Parameters:
  ///   - mac: the address, most significant byte first; also what tells twins apart.
  ///   - socket: the USB socket, so to speak: `HID_PHYS`.
  ///   - product: 0x0CE6, or 0x0DF2 for a DualSense Edge.
  /// - Throws: `SystemCallError` when /dev/uhid cannot be used.
  public init(
    mac: [UInt8] = [0x02, 0x50, 0x4E, 0x44, 0x45, 0x01], socket: String = "lab-usb-1/input0",
    name: String = "Sony Interactive Entertainment DualSense Wireless Controller",
    product: UInt16 = 0x0CE6, report: DualSenseReport = DualSenseReport()
  ) throws {
    precondition(mac.count == 6, "A MAC address has six bytes.")
    uniq = mac.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
    current = Mutex(report)
    let pairing = Self.pairingReport(mac: mac)
    device = try VirtualHIDDevice(
      VirtualHIDDevice.Identity(
        name: name, physicalPath: socket, bus: .usb, vendor: 0x054C, product: product,
        version: 0x8111),
      descriptor: Self.descriptor,
      answer: { id, kind in
        guard kind == .feature else { return nil }
        switch id {
        case 0x05: return Self.calibrationReport
        case 0x09: return pairing
        case 0x20: return Self.firmwareReport
        default: return nil
        }
      })
  }

  deinit { device.unplug() }

  /// What the pad said last.
  public var report: DualSenseReport { current.withLock { $0 } }

  /// Changes what the pad says, lets its clock run on, and sends the report.
  ///
  /// - Throws: `SystemCallError`.
  public func send(
    afterMicroseconds time: Int = 4000,
    _ change: @Sendable (inout DualSenseReport) -> Void = { _ in }
  ) throws {
    let report = current.withLock { report in
      report.advance(microseconds: time)
      change(&report)
      return report
    }
    try device.send(report.bytes)
  }

  public func unplug() { device.unplug() }

  /// Report 1 in, 63 bytes, and report 2 out, 47 bytes, of a vendor's own: all that the driver asks for.
  private static let descriptor: [UInt8] = [
    0x05, 0x01, 0x09, 0x05, 0xA1, 0x01, 0x06, 0x00, 0xFF,
    0x85, 0x01, 0x09, 0x21, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x3F, 0x81, 0x02,
    0x85, 0x02, 0x09, 0x22, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x2F, 0x91, 0x02,
    0xC0,
  ]

  /// No bias; ±8640 at ±540 °/s (16 to the °/s); ±8192 at ±1 g.
  private static let calibrationReport: [UInt8] = {
    var report = [UInt8](repeating: 0, count: 41)
    report[0] = 0x05
    let values: [Int16] =
      [0, 0, 0] + [8640, -8640, 8640, -8640, 8640, -8640] + [540, 540]
      + [8192, -8192, 8192, -8192, 8192, -8192]
    for (index, value) in values.enumerated() { report.put(value, at: 1 + 2 * index) }
    return report
  }()

  private static let firmwareReport: [UInt8] = [0x20] + [UInt8](repeating: 0, count: 63)

  private static func pairingReport(mac: [UInt8]) -> [UInt8] {
    [0x09] + mac.reversed() + [UInt8](repeating: 0, count: 13)
  }
}
