import Events

/// When to try again what failed: soon at first, then less and less often.
///
/// A node can exist a second before its access control list does, so the first refusals mean nothing.
struct RetrySchedule {
  private static let first: Nanoseconds = 50_000_000
  private static let longest: Nanoseconds = 2_000_000_000
  /// How long a refusal is kept to oneself.
  private static let patience: Nanoseconds = 3_000_000_000

  private let start: Nanoseconds
  private var delay = RetrySchedule.first
  /// When to try next.
  private(set) var next: Nanoseconds
  /// Whether the user was told.
  private(set) var wasReported = false

  init(at time: Nanoseconds) {
    start = time
    next = time + RetrySchedule.first
  }

  /// Tries again at once: something about the node changed.
  mutating func hurry() {
    delay = RetrySchedule.first
    next = .min
  }

  /// Notes another failure at `time`; true, once, when it has lasted so long that the user should know.
  mutating func failed(at time: Nanoseconds) -> Bool {
    next = time + delay
    delay = min(delay * 2, RetrySchedule.longest)
    if wasReported || time - start < RetrySchedule.patience { return false }
    wasReported = true
    return true
  }
}
