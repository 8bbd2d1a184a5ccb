internal import Events

/// The stage `deadzone d`: nothing near the centre, and what lies beyond rescaled so that the ends stay.
struct Deadzone: BitwiseCopyable {
  private let range: ValueRange
  /// The dead part of the way from 0 to an end, 0 ≤ share < 1.
  private let share: Double

  init(_ share: Double, range: ValueRange) {
    self.range = range
    self.share = share
  }

  /// One number by itself.
  @_noLocks
  func apply(_ value: Double) -> Double {
    if value > 0 { return beyond(value, end: range.high) }
    // Not the negative of it, which would make a negative zero.
    if value < 0 { return 0 - beyond(-value, end: -range.low) }
    return value
  }

  /// One number of a pair: the distance from the centre counts, and the direction stays.
  ///
  /// An end stays an end whatever the sibling is, so the corners of a square stick are still reached.
  @_noLocks
  func apply(_ value: Double, sibling: Double) -> Double {
    let end = range.high > -range.low ? range.high : -range.low
    let distance = squareRoot(value * value + sibling * sibling) / end
    if distance <= share { return 0 }
    let result = value * ((distance - share) / ((1 - share) * distance))
    let size = value < 0 ? -value : value
    let limit = size <= end ? end : beyond(size, end: end)
    if size == end { return value }
    return ValueRange(-limit, limit).clamp(result)
  }

  @_noLocks
  private func beyond(_ size: Double, end: Double) -> Double {
    if !(end > 0) || size == end { return size }
    let dead = share * end
    if size <= dead { return 0 }
    let result = (size - dead) / (1 - share)
    // Rounding may step over the end by the last digit.
    return size < end && result > end ? end : result
  }
}
