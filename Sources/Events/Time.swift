/// Nanoseconds: a moment on CLOCK_MONOTONIC, or a span between two such moments.
///
/// Every event of Sonde is stamped on this one clock; see `ControlEvent.sensorTime` for a device's own.
public typealias Nanoseconds = Int64

extension Nanoseconds {
  /// No moment: the device has no clock of its own, or nothing happened yet.
  @inlinable public static var none: Nanoseconds { @_noLocks get { .min } }

  /// The nanoseconds in one second.
  @inlinable public static var perSecond: Nanoseconds { @_noLocks get { 1_000_000_000 } }

  /// For people: `11.3 ms`.
  public var milliseconds: String {
    let tenths = (Swift.abs(self) + 50_000) / 100_000
    return "\(self < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) ms"
  }

  /// For people, as exactly as it was said: `20 ms`, `0.001 ms`.
  public var exactMilliseconds: String {
    var digits = String(Swift.abs(self % 1_000_000))
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    let whole = "\(self < 0 ? "-" : "")\((self / 1_000_000).magnitude)"
    return "\(whole)\(digits.isEmpty ? "" : ".\(digits)") ms"
  }
}
