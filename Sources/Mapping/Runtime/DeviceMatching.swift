public import Events

/// Which plugged-in device each device of a mapping is, through every replug.
///
/// Pure and for CONTROL: feed it the whole list of present devices whenever that changes, as one list where several
/// came at once, and apply the changes that it returns.
public struct DeviceMatching: Sendable {
  /// A device of the program (its place among the mapping's declarations) and the device that it is.
  public struct Binding: Sendable, Hashable, Comparable {
    public var declaration: Int
    public var device: DeviceIndex

    public init(declaration: Int, device: DeviceIndex) {
      self.declaration = declaration
      self.device = device
    }

    public static func < (a: Binding, b: Binding) -> Bool {
      (a.declaration, a.device) < (b.declaration, b.device)
    }
  }

  public enum Change: Sendable, Equatable {
    case unbind(Binding)
    case bind(Binding)
  }

  struct Known {
    var identity: DeviceIdentity
    var description: DeviceDescription
    /// The number of the device while it is plugged in.
    var present: DeviceIndex?
  }

  public private(set) var declarations: [DeviceDeclaration]
  /// The bindings in force, sorted.
  public private(set) var bindings: [Binding] = []

  /// Every device seen so far, in the order of identities: an absent twin keeps its place in the count.
  private var known: [Known] = []
  /// For each declaration, by its name, what it was bound to, the latest first.
  private var remembered: [String: [DeviceIdentity]] = [:]
  private var arrivals = 0

  public init(_ declarations: [DeviceDeclaration]) { self.declarations = declarations }

  /// Goes on with the declarations of a reloaded mapping: devices of the same name keep meaning the same twin.
  ///
  /// Afterwards `bindings` are those of the new program, all of them.
  public mutating func replaceDeclarations(_ new: [DeviceDeclaration]) {
    let old = Dictionary(grouping: bindings) { declarations[$0.declaration].name }
    declarations = new
    bindings = new.enumerated().flatMap { number, declaration in
      (old[declaration.name] ?? []).map { Binding(declaration: number, device: $0.device) }
    }.sorted()
    bindings = decide()
  }

  /// Takes the list of present devices and returns what changes: everything that ends first, then what begins.
  public mutating func update(_ present: [(device: DeviceIndex, description: DeviceDescription)])
    -> [Change]
  {
    let replaced = takePresent(present)
    let before = Set(bindings)
    // A number that passed from one device to another between two looks ends what it meant.
    bindings.removeAll { replaced.contains($0.device) }
    bindings = decide()
    let after = Set(bindings)
    return before.filter { !after.contains($0) || replaced.contains($0.device) }.sorted()
      .map(Change.unbind)
      + bindings.filter { !before.contains($0) || replaced.contains($0.device) }.map(Change.bind)
  }

  /// What tells a present device from its twins.
  public func identity(of device: DeviceIndex) -> DeviceIdentity? {
    known.first { $0.present == device }?.identity
  }

  // MARK: Presence

  /// Brings `known` up to date and returns the numbers that mean another device than before.
  private mutating func takePresent(
    _ present: [(device: DeviceIndex, description: DeviceDescription)]
  ) -> Set<DeviceIndex> {
    var replaced: Set<DeviceIndex> = []
    for index in known.indices {
      guard let number = known[index].present else { continue }
      let now = present.first { $0.device == number }?.description
      if let now, now.isSameDevice(as: known[index].description) {
        known[index].description = now
      } else {
        known[index].present = nil
        if now != nil { replaced.insert(number) }
      }
    }
    for (device, description) in present where !known.contains(where: { $0.present == device }) {
      arrivals += 1
      let taken = Set(known.filter { $0.present != nil }.map(\.identity))
      let identity = DeviceIdentity(description, arrival: arrivals, taken: taken)
      let back = known.firstIndex { old in
        if identity.source != .arrival { return old.identity == identity }
        // Nothing tells these twins apart; the first in the count that is away comes back.
        return old.present == nil && old.identity.source == .arrival
          && old.description.isSameDevice(as: description)
      }
      if let index = back {
        known[index].present = device
        known[index].description = description
      } else {
        known.append(Known(identity: identity, description: description, present: device))
      }
    }
    known.sort { $0.identity < $1.identity }
    return replaced
  }

  // MARK: Decision

  private mutating func decide() -> [Binding] {
    var decided: [Int: Known] = [:]
    var claimed: Set<DeviceIndex> = []
    func claim(_ device: Known?, for declaration: Int) {
      guard let device, let number = device.present, decided[declaration] == nil,
        !claimed.contains(number)
      else { return }
      decided[declaration] = device
      claimed.insert(number)
    }
    func free(_ number: Int) -> Known? {
      known.first { device in
        guard let index = device.present, !claimed.contains(index) else { return false }
        return declarations[number].matches(device.description)
      }
    }
    let declared = declarations.indices.filter {
      if case .declared = declarations[$0].role { true } else { false }
    }
    let counted = declared.filter { declarations[$0].matchers.index != nil }
    let plain = declared.filter { declarations[$0].matchers.index == nil }

    // What is bound stays; what was bound comes back.
    for number in plain {
      claim(current(number).first { declarations[number].matches($0.description) }, for: number)
    }
    for number in plain {
      for device in twins(number) { claim(device, for: number) }
    }
    // New claims, in file order.
    for number in declared {
      if counted.contains(number) {
        claim(counting(number), for: number)
      } else if twins(number).isEmpty {
        claim(free(number), for: number)
      }
    }
    // A stand-in for a twin that is away, if no other line wants it.
    for number in plain { claim(free(number), for: number) }
    for number in counted where counting(number) != nil { claim(free(number), for: number) }

    var result: [Binding] = []
    for (number, device) in decided {
      remember(device.identity, for: declarations[number].name)
      if let index = device.present {
        result.append(Binding(declaration: number, device: index))
      }
    }
    for number in declarations.indices {
      result += undeclared(number).map { Binding(declaration: number, device: $0) }
    }
    return result.sorted()
  }

  /// The present devices that `declaration` is bound to now.
  private func current(_ declaration: Int) -> [Known] {
    known.filter { device in
      guard let index = device.present else { return false }
      return bindings.contains(Binding(declaration: declaration, device: index))
    }
  }

  /// The devices, present or not, that `declaration` was bound to and still could be, the latest first.
  private func twins(_ declaration: Int) -> [Known] {
    (remembered[declarations[declaration].name] ?? []).compactMap { identity in
      known.first {
        $0.identity == identity && declarations[declaration].matches($0.description)
      }
    }
  }

  /// The device that `index=` means, present or not.
  private func counting(_ declaration: Int) -> Known? {
    let matching = known.filter { declarations[declaration].matches($0.description) }
    guard let place = declarations[declaration].matchers.index, place >= 1, place <= matching.count
    else { return nil }
    return matching[place - 1]
  }

  private mutating func remember(_ identity: DeviceIdentity, for name: String) {
    let longest = 8
    var list = remembered[name] ?? []
    if list.first == identity { return }
    list.removeAll { $0 == identity }
    remembered[name] = Array(([identity] + list).prefix(longest))
  }

  /// The devices of one of the names that are always there.
  private func undeclared(_ declaration: Int) -> [DeviceIndex] {
    let candidates: [Known]
    switch declarations[declaration].role {
    case .declared: return []
    case .allMIDI:
      return known.filter { $0.description.kind == .midi }.compactMap(\.present)
    case .first(let kind):
      candidates = known.filter { $0.present != nil && $0.description.kind == kind }
    case .motion:
      let able = known.filter { $0.present != nil && $0.description.hasMotionSensors }
      candidates =
        able.filter { $0.description.kind == .gamepad }
        + able.filter { $0.description.kind != .gamepad }
    }
    // It stays with what it is, and does not go back to what it was.
    let held = current(declaration).compactMap(\.present)
    let kept = candidates.first { candidate in candidate.present.map(held.contains) ?? false }
    return [(kept ?? candidates.first)?.present].compactMap { $0 }
  }
}
