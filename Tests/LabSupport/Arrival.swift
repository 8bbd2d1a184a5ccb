import LinuxIO

/// Nodes that have appeared, and when: the lab measures Sonde's own delay as a multiple of udev's.
public struct Arrival: Sendable {
  /// The nodes, by number.
  public let nodes: [InputNode]
  /// When the last of them was in sysfs, on CLOCK_MONOTONIC in nanoseconds.
  public let kernelTime: Int64
  /// When udev had run its rules for all of them.
  public let udevTime: Int64

  /// How long udev took, in seconds.
  public var udevDelay: Double { Double(udevTime - kernelTime) / 1e9 }

  /// The one node that `condition` holds for, or nil.
  public func node(where condition: (InputNode) -> Bool) -> InputNode? {
    nodes.first(where: condition)
  }

  public var motion: InputNode? { node { $0.isMotion } }
  public var touchpad: InputNode? { node { $0.name.hasSuffix("Touchpad") } }
  public var pad: InputNode? { node { !$0.isMotion && !$0.name.hasSuffix("Touchpad") } }
}

/// What did not appear in time.
public struct ArrivalError: Error, CustomStringConvertible {
  public let description: String
}

extension Arrival {
  /// Waits until `find` gives `count` nodes and udev has announced them all.
  ///
  /// - Parameter plugTime: when they were plugged in; what udev said before is of others that had the same numbers.
  /// - Throws: `ArrivalError` after `seconds`.
  static func wait(
    for count: Int, since plugTime: Int64, seconds: Double = 20, find: () -> [InputNode]
  ) throws -> Arrival {
    let deadline = monotonicNow() + Int64(seconds * 1e9)
    var nodes: [InputNode] = []
    var kernelTime: Int64 = 0
    while monotonicNow() < deadline {
      if nodes.count < count {
        nodes = find()
        kernelTime = monotonicNow()
      }
      let announced = nodes.compactMap(\.announcementTime).filter { $0 >= plugTime }
      if nodes.count >= count && announced.count == nodes.count {
        return Arrival(nodes: nodes, kernelTime: kernelTime, udevTime: monotonicNow())
      }
      pause(seconds: 0.002)
    }
    throw ArrivalError(
      description:
        "Only \(nodes.count) of \(count) input nodes appeared, or udev did not announce them, in \(seconds) s; "
        + "there are \(InputNode.all().map(\.name))")
  }

  /// Waits until all of `nodes` have left, and udev knows.
  ///
  /// - Throws: `ArrivalError` after 10 s.
  public static func waitUntilGone(_ nodes: [InputNode]) throws {
    let gone: Void? = LabSupport.wait(seconds: 10) {
      let left = InputNode.all()
      return nodes.contains { left.contains($0) || $0.announcementTime != nil } ? nil : ()
    }
    if gone == nil {
      throw ArrivalError(description: "Unplugged nodes are still there: \(nodes.map(\.path))")
    }
  }
}

extension VirtualHIDDevice {
  /// Waits for the event nodes that the kernel makes of the device.
  ///
  /// - Throws: `ArrivalError` when fewer than `count` are there after 20 s.
  public func waitForNodes(_ count: Int) throws -> Arrival {
    let path = identity.physicalPath
    return try Arrival.wait(for: count, since: plugTime) { InputNode.ofHIDDevice(at: path) }
  }
}

extension VirtualDualSense {
  /// Waits for the pad, motion and touchpad nodes.
  ///
  /// - Throws: `ArrivalError`.
  public func waitForNodes() throws -> Arrival { try device.waitForNodes(3) }
}
