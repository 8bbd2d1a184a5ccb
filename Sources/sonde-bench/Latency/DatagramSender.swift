import Glibc

/// Sends datagrams to a port of this machine, as a controller's program does (UDP).
final class DatagramSender: Sendable {
  let port: UInt16
  private let descriptor: Int32

  /// Chooses a port that nobody has.
  ///
  /// - Throws: `BenchmarkFailure` when the system gives no socket.
  init() throws {
    let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(probe) }
    var address = DatagramSender.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
      }
    }
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    if !isKnown || descriptor < 0 { throw BenchmarkFailure("There is no socket to send with.") }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) {
    var address = DatagramSender.address(port: port)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(
          descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
