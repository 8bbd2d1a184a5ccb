import Synchronization

/// Keys that play an instrument of the orchestra: a key sounds while it is down.
public final class KeyboardWidget: Sendable {
  private let csound: CsoundObj
  private let instrument: String
  private let down = Mutex<Set<Int>>([])

  init(_ csound: CsoundObj, _ instrument: String) throws(EngineError) {
    self.csound = csound
    let isNumber = instrument.utf8.allSatisfy { (48...57).contains($0) } && !instrument.isEmpty
    guard isNumber || isInstrumentName(instrument) else {
      throw EngineError(
        .state, "'\(instrument)' is no instrument: write its number or its name.")
    }
    self.instrument = instrument
  }

  /// The keys that are down, lowest first.
  public var keys: [Int] { down.withLock { $0.sorted() } }

  /// Presses a key; one that is down already sounds anew.
  ///
  /// - Parameter velocity: 0…127.
  /// - Throws: `EngineError` when there is no such key or nothing plays.
  public func press(_ key: Int, velocity: Double = 100) throws(EngineError) {
    try check(key)
    let strength = velocity.isFinite ? min(max(velocity, 0), 127) : 100
    let on = event(key, isOn: true) + " \(key) \(strength)"
    let isDown = down.withLock { $0.contains(key) }
    // Together or not at all.
    try csound.sendScore(isDown ? "\(event(key, isOn: false))\n\(on)" : on)
    down.withLock { _ = $0.insert(key) }
  }

  /// Lets a key go; does nothing where it is not down.
  ///
  /// - Throws: `EngineError` as `press`.
  public func release(_ key: Int) throws(EngineError) {
    try check(key)
    if down.withLock({ $0.remove(key) }) != nil { try csound.sendScore(event(key, isOn: false)) }
  }

  /// Lets all keys go.
  public func releaseAll() throws(EngineError) {
    for key in keys { try release(key) }
  }

  private func check(_ key: Int) throws(EngineError) {
    if !(0...127).contains(key) {
      throw EngineError(.state, "There is no key \(key): keys have numbers from 0 to 127.")
    }
  }

  // One instance of the instrument for each key: 1.060 is key 60.
  private func event(_ key: Int, isOn: Bool) -> String {
    let fraction = String(String(1000 + key).dropFirst())
    let isNumber = instrument.utf8.allSatisfy { (48...57).contains($0) }
    let sign = isOn ? "" : "-"
    let name =
      isNumber ? "\(sign)\(instrument).\(fraction)" : "\"\(sign)\(instrument).\(fraction)\""
    return "i \(name) 0 \(isOn ? "-2" : "0")"
  }
}
