/// Sees in a sensor's own clock that samples are missing.
struct SampleGaps: BitwiseCopyable, Sendable {
  // The usual distance of two samples, in nanoseconds; 0 before the first.
  private var usual = 0.0
  private var strange = 0

  @_noLocks
  init() {}

  /// How many samples are missing before one that is `advance` nanoseconds after the last.
  ///
  /// Distances of more than a quarter of a second are pauses, and nothing is missing in them.
  @_noLocks
  mutating func missing(after advance: Nanoseconds) -> Int {
    if advance <= 0 || advance > 250_000_000 { return 0 }
    let distance = Double(advance)
    if usual == 0 { usual = distance }
    let ratio = distance / usual
    if ratio > 0.5 && ratio < 1.5 {
      strange = 0
      usual += (distance - usual) / 16
      return 0
    }
    strange += 1
    // The source has another rate now.
    if strange == 8 {
      strange = 0
      usual = distance
    }
    return ratio >= 1.5 ? Int(ratio + 0.5) - 1 : 0
  }
}
