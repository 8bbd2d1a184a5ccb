import Events

/// What tells a device from its twins, and which of its properties that is.
public struct DeviceIdentity: Sendable, Hashable, Comparable {
  /// The properties that can tell twins apart, best first.
  public enum Source: Int, Sendable, Comparable {
    /// The device's own unique identifier, a MAC address mostly.
    case uniq
    case serial
    /// Where it is plugged in: the twin that comes back to this socket counts as the same.
    case path
    /// The order in which devices came: nothing better is known, and a replug may swap twins.
    case arrival

    public static func < (a: Source, b: Source) -> Bool { a.rawValue < b.rawValue }
  }

  public let source: Source
  public let value: String
  /// Sorts where the value cannot: the number of the arrival.
  let arrival: Int

  /// The best identity of `description` that is not in `taken`, by other devices that are present.
  init(_ description: DeviceDescription, arrival: Int, taken: Set<DeviceIdentity>) {
    let candidates: [(Source, String)] = [
      (.uniq, description.uniq), (.serial, description.serial), (.path, description.path),
    ]
    for (source, value) in candidates where !value.isEmpty {
      let identity = DeviceIdentity(source, value, arrival: 0)
      if !taken.contains(identity) {
        self = identity
        return
      }
    }
    self.init(.arrival, "\(arrival)", arrival: arrival)
  }

  private init(_ source: Source, _ value: String, arrival: Int) {
    self.source = source
    self.value = value
    self.arrival = arrival
  }

  /// The identity for people, with the property that it comes from: `02:02:03:04:05:06 (uniq)`.
  public var label: String {
    switch source {
    case .uniq: "\(value) (uniq)"
    case .serial: "\(value) (serial)"
    case .path: "\(value) (path)"
    case .arrival: "no. \(value) (order of arrival)"
    }
  }

  public static func < (a: DeviceIdentity, b: DeviceIdentity) -> Bool {
    (a.source, a.arrival, a.value) < (b.source, b.arrival, b.value)
  }
}
