import Events

/// What to say of xruns: at once when they begin, at most every ten seconds while they last, and once when they are over.
struct XrunSentences: Sendable {
  /// Between two sentences; and the silence after which xruns are over.
  static let interval: Nanoseconds = 10_000_000_000

  private var sinceSentence = 0
  private var longest: Nanoseconds = 0
  private var total = 0
  private var first = Nanoseconds.none
  private var last = Nanoseconds.none
  private var lastSentence = Nanoseconds.none
  /// Whether there were more than the first sentence told.
  private var isLasting = false

  /// Takes one xrun.
  mutating func note(length: Nanoseconds, at time: Nanoseconds) {
    if total == 0 { first = time }
    total += 1
    sinceSentence += 1
    longest = max(longest, length)
    last = max(last, time)
  }

  /// What to say now, if anything; ask again and again.
  ///
  /// - Parameter remedy: what makes the device's buffer longer.
  mutating func sentence(at now: Nanoseconds, remedy: String) -> String? {
    if total == 0 { return nil }
    if lastSentence == .none { return begin(at: now, remedy) }
    if sinceSentence > 0 {
      isLasting = true
      // Only while it is true: the count of a burst that may be over waits for the last sentence.
      let isStill = now - last < .perSecond
      if isStill && now - lastSentence >= XrunSentences.interval { return goOn(at: now) }
    }
    return now - last >= XrunSentences.interval ? end() : nil
  }

  private mutating func begin(at now: Nanoseconds, _ remedy: String) -> String {
    defer { told(at: now) }
    return
      "The sound was interrupted \(times), for \(length) at the most; \(remedy) or less load helps."
  }

  private mutating func goOn(at now: Nanoseconds) -> String {
    defer { told(at: now) }
    let seconds = (now - lastSentence) / .perSecond
    return
      "The sound is still interrupted: \(times) in \(seconds) s, for \(length) at the most."
  }

  private mutating func end() -> String? {
    defer { self = XrunSentences() }
    if !isLasting { return nil }
    let seconds = (last - first + .perSecond - 1) / .perSecond
    return "The sound is whole again, after \(total) interruptions in \(max(seconds, 1)) s."
  }

  private mutating func told(at now: Nanoseconds) {
    sinceSentence = 0
    longest = 0
    lastSentence = now
  }

  private var times: String { sinceSentence == 1 ? "once" : "\(sinceSentence) times" }
  private var length: String {
    longest < 1_000_000 ? "less than 1 ms" : "\((longest + 500_000) / 1_000_000) ms"
  }
}
