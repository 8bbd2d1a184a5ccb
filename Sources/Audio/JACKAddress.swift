/// Sonde's place in a JACK graph: its name, and what its ports are connected to.
public struct JACKAddress: Sendable, Equatable {
  /// The client's name; JACK adds a number where another client has it.
  public var client: String
  /// The ports that play; those that capture are in `AudioRequest.inputDevice`.
  public var ports: JACKPorts
  /// The server's name; nil is the default one (`JACK_DEFAULT_SERVER`).
  public var server: String?

  public init(client: String = "sonde", ports: JACKPorts = .physical, server: String? = nil) {
    self.client = client
    self.ports = ports
    self.server = server
  }
}

/// Which ports of others Sonde connects its own to.
public enum JACKPorts: Sendable, Equatable {
  /// Those of the sound card.
  case physical
  /// Those whose names match a regular expression, in the server's order.
  case matching(String)
  /// Those of the N-th group, from 0: ports whose names differ in the number at their end only.
  case group(Int)
  /// None: the user connects them.
  case none

  /// What the words behind `-odac:` and `-iadc:` mean: a number is a group, `null` is none, nil the sound card.
  public init(words: String?) {
    switch words {
    case nil, ""?: self = .physical
    case "null"?: self = .none
    case let words?: self = Int(words).map { .group($0) } ?? .matching(words)
    }
  }

  /// The ports of the group, of `all` of the wanted direction in the server's order; none where there is none.
  func group(of all: [String]) -> [String] {
    guard case .group(let number) = self else { return [] }
    var stems: [String] = []
    for stem in all.map(JACKPorts.stem) where !stems.contains(stem) { stems.append(stem) }
    guard stems.indices.contains(number) else { return [] }
    return all.filter { JACKPorts.stem(of: $0) == stems[number] }
  }

  /// A name without the number at its end.
  private static func stem(of name: String) -> String {
    var stem = Substring(name)
    while let last = stem.last, last.isASCII, last.isNumber { stem.removeLast() }
    return String(stem)
  }
}
