import Glibc
import Synchronization

/// The open /dev/uhid behind one virtual device, and the loop that answers the driver.
///
/// Protocol: include/uapi/linux/uhid.h (`struct uhid_event`, packed), drivers/hid/uhid.c.
final class UHIDConnection: Sendable {
  enum Message: UInt32 {
    case destroy = 1
    case start = 2
    case stop = 3
    case open = 4
    case close = 5
    case output = 6
    case getReport = 9
    case getReportReply = 10
    case create = 11
    case input = 12
    case setReport = 13
    case setReportReply = 14
  }

  private static let messageSize = 4380
  private static let dataSize = 4096

  private let file: Int32
  let stopping = Atomic<Bool>(false)
  let users = Atomic<Int>(0)

  init() throws {
    file = open("/dev/uhid", O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw SystemCallError("Cannot open /dev/uhid") }
  }

  deinit { close(file) }

  func write(_ message: [UInt8]) throws { try writeAll(message, to: file, named: "/dev/uhid") }

  static func message(_ kind: Message) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: messageSize)
    bytes.put(kind.rawValue, at: 0)
    return bytes
  }

  func serve(answer: VirtualHIDDevice.Answer, receive: VirtualHIDDevice.Receive) {
    var message = [UInt8](repeating: 0, count: Self.messageSize)
    while !stopping.load(ordering: .acquiring) {
      var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      // Short, as the wait for it is part of every unplug.
      guard poll(&wanted, 1, 5) > 0 else { continue }
      guard read(file, &message, message.count) > 0 else { continue }
      switch Message(rawValue: message.integer(at: 0)) {
      case .open: users.add(1, ordering: .acquiringAndReleasing)
      case .close: users.subtract(1, ordering: .acquiringAndReleasing)
      case .output:
        let size = Int(message.integer(at: 4 + Self.dataSize, as: UInt16.self))
        receive(Array(message[4..<(4 + size)]), .output)
      case .getReport:
        let kind = VirtualHIDDevice.ReportKind(rawValue: message[9]) ?? .feature
        reply(.getReportReply, to: message, report: answer(message[8], kind))
      case .setReport:
        let size = Int(message.integer(at: 10, as: UInt16.self))
        let kind = VirtualHIDDevice.ReportKind(rawValue: message[9]) ?? .feature
        receive(Array(message[12..<(12 + size)]), kind)
        reply(.setReportReply, to: message, report: [])
      default: break
      }
    }
  }

  private func reply(_ kind: Message, to request: [UInt8], report: [UInt8]?) {
    var message = Self.message(kind)
    message.put(request.integer(at: 4, as: UInt32.self), at: 4)
    message.put(UInt16(report == nil ? EIO : 0), at: 8)
    if let report, kind == .getReportReply {
      message.put(UInt16(report.count), at: 10)
      message.replaceSubrange(12..<(12 + report.count), with: report)
    }
    try? write(message)
  }
}
