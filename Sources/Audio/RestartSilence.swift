import Events

/// How much silence a device starts with.
///
/// The whole buffer at first, when computing is slowest. After an interruption half of it, so that the gap is short;
/// but all of it again where half was not enough a moment ago.
struct RestartSilence: BitwiseCopyable {
  private var last = Nanoseconds.none

  @_noLocks
  init() {}

  /// Takes note of a start, and says how many of `periods` periods begin it.
  @_noLocks
  mutating func silentPeriods(of periods: Int, at now: Nanoseconds) -> Int {
    let before = last
    last = now
    if before == .none { return periods }
    return now &- before < 1_000_000_000 ? periods : max(periods / 2, 1)
  }
}
