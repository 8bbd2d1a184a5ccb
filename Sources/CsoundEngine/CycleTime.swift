import Events

/// When a k-cycle sounds, and which commands belong into it.
struct CycleTime: BitwiseCopyable {
  /// When its first frame plays.
  let start: Nanoseconds
  /// Commands that are due before this moment are applied.
  let limit: Nanoseconds
  /// The first moment whose commands sound in time here, and where the k-cycle before ended; `.min` where all are
  /// in time because nothing is promised.
  private let first: Nanoseconds
  private let passed: Nanoseconds
  /// From a command to its sound, 0 where it is not constant.
  let latency: Nanoseconds

  /// A k-cycle that takes whatever is there.
  @_noLocks
  init(start: Nanoseconds) {
    self.start = start
    limit = .max
    first = .min
    passed = .min
    latency = 0
  }

  /// A k-cycle that takes what is due within it, and what was missed.
  ///
  /// - Parameters:
  ///   - end: when its last frame has played.
  ///   - latency: from a command to its sound.
  ///   - passed: `limit` of the k-cycle before.
  @_noLocks
  init(start: Nanoseconds, end: Nanoseconds, latency: Nanoseconds, passed: Nanoseconds) {
    self.start = start
    limit = end &- latency
    first = start &- latency
    self.passed = passed
    self.latency = latency
  }

  /// How far the line through a device's positions may move from one k-cycle to the next.
  private static var tolerance: Nanoseconds { @_noLocks get { 50_000 } }

  /// How much too late a command sounds that is due at `due` and applied here.
  ///
  /// The line through the device's positions moves by microseconds: what was not due in the k-cycle before is in
  /// time in this one, unless the line moved by more (an interruption of the sound).
  @_noLocks
  func lateness(of due: Nanoseconds) -> Nanoseconds {
    if due >= first { return 0 }
    let lateness = first &- due
    return due < passed || lateness > CycleTime.tolerance ? lateness : 0
  }

  /// How long after the k-cycle's start a command that is due at `due` sounds, 0 for late ones.
  @_noLocks
  func delay(of due: Nanoseconds) -> Nanoseconds {
    first == .min || due <= first ? 0 : due &- first
  }
}
