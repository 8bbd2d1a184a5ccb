import Glibc

/// Reads an event node as it is, without any of Sonde's code: the truth that the drivers are compared with.
public final class EventNodeReader {
  public struct Event: Sendable, Equatable {
    public var seconds: Int64
    public var microseconds: Int64
    public var type: UInt16
    public var code: UInt16
    public var value: Int32
  }

  /// `struct input_absinfo`.
  public struct AxisInformation: Sendable, Equatable {
    public var value: Int32
    public var minimum: Int32
    public var maximum: Int32
    public var fuzz: Int32
    public var flat: Int32
    public var resolution: Int32
  }

  private let file: Int32
  private let path: String

  /// Opens the node.
  ///
  /// - Throws: `SystemCallError`.
  public init(_ node: InputNode) throws {
    path = node.path
    file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw SystemCallError("Cannot open \(path)") }
  }

  deinit { close(file) }

  /// What the kernel says of an axis, its present value among it (C: `EVIOCGABS`), or nil when there is no such axis.
  public func axis(_ code: UInt16) -> AxisInformation? {
    var bytes = [UInt8](repeating: 0, count: 24)
    let request = UInt(0x8018_4540) + UInt(code)
    let result = bytes.withUnsafeMutableBytes { ioctl(file, request, $0.baseAddress!) }
    guard result >= 0 else { return nil }
    let fields = (0..<6).map { bytes.integer(at: 4 * $0, as: Int32.self) }
    // For an axis that the device has not, the kernel answers with zeros.
    guard fields[1] != 0 || fields[2] != 0 else { return nil }
    return AxisInformation(
      value: fields[0], minimum: fields[1], maximum: fields[2], fuzz: fields[3], flat: fields[4],
      resolution: fields[5])
  }

  /// The events that are waiting; empty when there are none or the device has left.
  public func drain() -> [Event] {
    var events: [Event] = []
    var bytes = [UInt8](repeating: 0, count: 24 * 64)
    while true {
      let count = read(file, &bytes, bytes.count)
      guard count > 0 else { return events }
      for start in stride(from: 0, to: count, by: 24) {
        events.append(
          Event(
            seconds: bytes.integer(at: start), microseconds: bytes.integer(at: start + 8),
            type: bytes.integer(at: start + 16), code: bytes.integer(at: start + 18),
            value: bytes.integer(at: start + 20)))
      }
    }
  }
}
