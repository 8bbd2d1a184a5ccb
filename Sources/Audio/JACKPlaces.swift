/// Which port of another each of Sonde's channels has, of one direction.
///
/// A port takes a place when it appears, and keeps it as long as it is there: what the user disconnects meanwhile stays
/// disconnected, and what leaves and returns gets its place back.
struct JACKPlaces: Equatable {
  struct Connection: Equatable {
    var channel: Int
    var port: String
  }

  private struct Place: Equatable {
    var channel: Int
    var port: String?
  }

  private var places: [Place]

  init(channels: Int, isCapture: Bool) {
    // One channel goes to two ears, as on a sound card.
    let numbers = channels == 1 && !isCapture ? [0, 0] : Array(0..<channels)
    places = numbers.map { Place(channel: $0) }
  }

  /// Gives places to ports.
  ///
  /// - Parameters:
  ///   - appeared: names of ports that came since the last call; all of them at the start.
  ///   - present: all ports that are wanted and there, in the server's order.
  /// - Returns: what is to be connected now.
  mutating func take(_ appeared: Set<String>, present: [String]) -> [Connection] {
    var isTaken = [Bool](repeating: false, count: places.count)
    for index in places.indices {
      if let port = places[index].port, present.contains(port) { isTaken[index] = true }
    }
    var result = places.indices.filter { isTaken[$0] && appeared.contains(places[$0].port ?? "") }
    for port in present where appeared.contains(port) {
      if places.contains(where: { $0.port == port }) { continue }
      guard let free = isTaken.firstIndex(of: false) else { break }
      isTaken[free] = true
      places[free].port = port
      result.append(free)
    }
    return result.map { Connection(channel: places[$0].channel, port: places[$0].port ?? "") }
  }
}
