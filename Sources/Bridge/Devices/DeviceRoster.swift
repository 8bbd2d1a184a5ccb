import Events
import Mapping

/// The devices that are there, live ones and those of a take, and which of the mapping's devices each one is.
///
/// CONTROL only. Every change comes back as requests that tell INPUT what is bound to what from then on.
final class DeviceRoster {
  private var matching: DeviceMatching
  private(set) var present: [DeviceIndex: DeviceDescription] = [:]
  /// Those that are present, and the last that had a number and left.
  private(set) var descriptions: [DeviceIndex: DeviceDescription] = [:]

  init(_ declarations: [DeviceDeclaration]) {
    matching = DeviceMatching(declarations)
  }

  /// A device came, or more is known of it.
  func set(
    _ device: DeviceIndex, _ description: DeviceDescription, at time: Nanoseconds
  ) -> [InputRequest] {
    set([device: description], at: time)
  }

  /// The same for several that came at once, so that their order does not decide which one `motion` is.
  func set(
    _ devices: [DeviceIndex: DeviceDescription], at time: Nanoseconds
  ) -> [InputRequest] {
    present.merge(devices) { $1 }
    descriptions.merge(devices) { $1 }
    return update(at: time)
  }

  /// A device left.
  func remove(_ device: DeviceIndex, at time: Nanoseconds) -> [InputRequest] {
    present[device] = nil
    return update(at: time)
  }

  /// The names that the mapping has for a device now.
  func names(of device: DeviceIndex) -> [String] {
    matching.bindings.filter { $0.device == device }.map {
      matching.declarations[$0.declaration].name
    }
  }

  /// The declared devices of the mapping that nothing plugged in is.
  var waiting: [String] {
    matching.declarations.indices.filter { number in
      !matching.bindings.contains { $0.declaration == number }
    }.map { matching.declarations[$0].name }
  }

  /// What tells a device from its twins.
  func identity(of device: DeviceIndex) -> DeviceIdentity? { matching.identity(of: device) }

  private func update(at time: Nanoseconds) -> [InputRequest] {
    let list = present.sorted { $0.key < $1.key }.map { (device: $0.key, description: $0.value) }
    return matching.update(list).map { change in
      switch change {
      case .bind(let binding): .bind(binding.device, number: binding.declaration, at: time)
      case .unbind(let binding): .unbind(binding.device, number: binding.declaration, at: time)
      }
    }
  }
}
