import Events
import Glibc
import LinuxIO
import Synchronization

/// What a client's ports are connected to, at the start and when ports of others appear later.
///
/// JACK's callback notes that ports have appeared, CONTROL looks from time to time, and a thread of its own connects: a
/// server that has stopped keeps whoever connects waiting.
final class JACKConnections: ThreadBody, @unchecked Sendable {
  /// The ports of one direction.
  private struct Side {
    let isCapture: Bool
    let own: [JACKLibrary.Port]
    let wanted: JACKPorts
    var places: JACKPlaces

    init(_ own: [JACKLibrary.Port], to wanted: JACKPorts, isCapture: Bool) {
      self.own = own
      self.wanted = wanted
      self.isCapture = isCapture
      places = JACKPlaces(channels: own.count, isCapture: isCapture)
    }
  }

  /// What the callback has noted.
  private struct Appearance {
    var ports: [UInt32] = []
    var lastTime: Nanoseconds = 0
    var isBeingConnected = false
    var notices: [String] = []
  }

  // The ports of a client come one after the other.
  private static let settlingTime: Nanoseconds = 100_000_000

  private let library: JACKLibrary
  private let handle: JACKLibrary.Client
  private let name: String
  private let appearance = Mutex(Appearance())
  // Held by whoever talks to the server.
  private let work: Mutex<Work>

  private struct Work: @unchecked Sendable {
    var sides: [Side]
    var isEnded = false
    // Ports of which it was said that they are connected.
    var told: Set<String> = []
  }

  /// - Parameter name: the client's own.
  init(
    _ library: JACKLibrary, _ handle: JACKLibrary.Client, name: String,
    outputs: [JACKLibrary.Port], to played: JACKPorts, inputs: [JACKLibrary.Port],
    to captured: JACKPorts
  ) {
    self.library = library
    self.handle = handle
    self.name = name
    work = Mutex(
      Work(sides: [
        Side(outputs, to: played, isCapture: false), Side(inputs, to: captured, isCapture: true),
      ]))
  }

  /// Connects with what is there; may wait for ever.
  ///
  /// - Returns: what the user should know.
  func begin() -> [String] {
    work.withLock { work in
      var notices: [String] = []
      for index in work.sides.indices {
        let side = work.sides[index]
        if side.own.isEmpty || side.wanted == .none { continue }
        let present = others(side)
        if present.isEmpty {
          notices.append(
            side.wanted.missingSentence(
              isCapture: side.isCapture, all: others(side, isAny: true), client: name))
        }
        _ = connect(&work.sides[index], Set(present), present, &notices)
      }
      return notices
    }
  }

  /// JACK's callback: a port is there.
  func note(_ port: UInt32) {
    appearance.withLock {
      $0.ports.append(port)
      $0.lastTime = monotonicNow()
    }
  }

  /// CONTROL, a few times a second: has what appeared connected.
  ///
  /// - Returns: what the user should know of what was connected since the last call.
  func look() -> [String] {
    let (isDue, notices) = appearance.withLock { appearance in
      defer { appearance.notices = [] }
      let isSettled = monotonicNow() - appearance.lastTime >= JACKConnections.settlingTime
      let isDue = !appearance.ports.isEmpty && isSettled && !appearance.isBeingConnected
      if isDue { appearance.isBeingConnected = true }
      return (isDue, appearance.notices)
    }
    // Without a thread, the next look may have more luck.
    if isDue, (try? BackgroundTask.start(self)) == nil {
      appearance.withLock { $0.isBeingConnected = false }
    }
    return notices
  }

  func run() {
    let ports = appearance.withLock { appearance in
      defer { appearance.ports = [] }
      return appearance.ports
    }
    let notices = work.withLock { work in
      work.isEnded ? [] : connect(&work, Set(ports.compactMap(portName)))
    }
    appearance.withLock {
      $0.notices += notices
      $0.isBeingConnected = false
    }
  }

  /// Connects nothing any more; waits for what is being connected, which may be for ever.
  func end() { work.withLock { $0.isEnded = true } }

  private func connect(_ work: inout Work, _ appeared: Set<String>) -> [String] {
    var notices: [String] = []
    for index in work.sides.indices {
      let side = work.sides[index]
      if side.own.isEmpty || side.wanted == .none { continue }
      let made = connect(&work.sides[index], appeared, others(side), &notices)
      let news = made.filter { !work.told.contains($0.port) }
      if news.isEmpty { continue }
      work.told.formUnion(news.map(\.port))
      let own = news.compactMap { ownName(side.own[$0.channel]) }
      notices.append(
        "JACK has \(news.map(\.port).joined(separator: ", ")) now, connected with \(own.joined(separator: ", "))."
      )
    }
    return notices
  }

  // Those that were connected now.
  private func connect(
    _ side: inout Side, _ appeared: Set<String>, _ present: [String], _ notices: inout [String]
  ) -> [JACKPlaces.Connection] {
    side.places.take(appeared, present: present).filter { place in
      guard let mine = library.portName(side.own[place.channel]) else { return false }
      let result =
        side.isCapture
        ? library.connect(handle, place.port, mine) : library.connect(handle, mine, place.port)
      // Connected by somebody else meanwhile.
      if result == EEXIST { return false }
      if result != 0 {
        notices.append(
          "JACK does not connect \(String(cString: mine)) with \(place.port); connect it by hand (qjackctl)."
        )
      }
      return result == 0
    }
  }

  // The ports of others that are wanted, in the server's order.
  private func others(_ side: Side, isAny: Bool = false) -> [String] {
    // What is an input here is an output there.
    let flags = side.isCapture ? JACKLibrary.portIsOutput : JACKLibrary.portIsInput
    let found: [String]
    switch isAny ? .group(0) : side.wanted {
    case .none: found = []
    case .physical: found = library.ports(of: handle, flags: flags | JACKLibrary.portIsPhysical)
    case .matching(let pattern): found = library.ports(of: handle, named: pattern, flags: flags)
    case .group:
      let all = library.ports(of: handle, flags: flags)
      found = isAny ? all : side.wanted.group(of: all)
    }
    return found.filter { !$0.hasPrefix(name + ":") }
  }

  private func ownName(_ port: JACKLibrary.Port) -> String? {
    library.portName(port).map { String(cString: $0) }
  }

  private func portName(_ number: UInt32) -> String? {
    library.portByNumber(handle, number).flatMap(ownName)
  }
}

extension JACKPorts {
  fileprivate func missingSentence(isCapture: Bool, all: [String], client: String) -> String {
    let own = isCapture ? "\(client):in_1…" : "\(client):out_1…"
    let option = isCapture ? "-iadc" : "-odac"
    let list = all.isEmpty ? "JACK has none" : "there are \(all.joined(separator: ", "))"
    let kind = isCapture ? "ports that capture" : "ports that play"
    let later = "\(own) are connected when some appear (\(list))"
    switch self {
    case .physical, .none: return "JACK has no \(kind) of a sound card; \(later)."
    case .matching(let pattern): return "No \(kind) match \(option):\(pattern); \(later)."
    case .group(let number):
      return "There is no group \(number) of \(kind) (\(option)\(number)); \(later)."
    }
  }
}
