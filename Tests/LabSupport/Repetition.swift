import Glibc

/// How much of the repeated work a run does: `SONDE_REPEAT_PERCENT`, 10 for `make test` and 100 for `make soak`.
public enum Repetition {
  /// The share of the full work, 0.01…1 (0.1 when the variable is not set).
  public static let share: Double = {
    let percent = environment("SONDE_REPEAT_PERCENT").flatMap(Double.init) ?? 10
    return min(max(percent, 1), 100) / 100
  }()

  /// The number of repetitions of a thing that the full run does `full` times; at least 1.
  public static func count(of full: Int) -> Int { max(1, Int((Double(full) * share).rounded())) }

  /// The length of a thing that takes `full` seconds in the full run.
  public static func seconds(of full: Double) -> Double { full * share }
}

/// The value of an environment variable, or nil.
public func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
