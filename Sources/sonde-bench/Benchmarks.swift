import Events
import LinuxIO

/// A section of what is measured: one file has it, and one word on the command line chooses it.
struct Section: Sendable {
  /// The word.
  let name: String
  /// What it measures, for `--help`.
  let summary: String
  let measure: @Sendable (Extent, Report) throws -> Void
}

/// In the order in which they run.
private let sections: [Section] = [
  .events, .routes, .engine, .compilation, .switching, .latency, .disturbance, .processes, .soak,
]

/// How much is measured.
struct Extent {
  /// Every quantity is measured this often; the first, warming run does not count.
  let runs: Int
  /// What a full count is divided by.
  let divisor: Int
  /// Gestures of each instrument in each condition, without those that settle it.
  var notes: Int
  /// How long a soak lasts.
  var soak: Nanoseconds

  static let full = Extent(runs: 9, divisor: 1, notes: 200, soak: 60 * .perSecond)
  static let quick = Extent(runs: 3, divisor: 10, notes: 40, soak: 10 * .perSecond)

  var isQuick: Bool { divisor > 1 }

  func count(_ full: Int) -> Int { max(1, full / divisor) }
}

private var usage: String {
  let width = (sections.map(\.name.count).max() ?? 0) + 2
  let list = sections.map { section in
    "  \(section.name)\(String(repeating: " ", count: width - section.name.count))\(section.summary)"
  }
  return """
    Usage: sonde-bench [--quick] [--json] [--notes N] [--for TIME] [SECTION...]
    Measures Sonde; all of it without a SECTION.

    \(list.joined(separator: "\n"))

      --quick     a tenth of it, in fewer runs: shows that it works, not how fast it is
      --json      one JSON object instead of the tables
      --notes N   gestures of each instrument in each condition, 200 if not given
      --for TIME  how long the soak lasts, such as 90s, 10min or 1h; 60s if not given

    """
}

/// Exit status: 0 done, 1 failed, 2 wrong command line.
func runBenchmarks(_ arguments: [String]) -> Int32 {
  var extent = Extent.full
  var asJSON = false
  var chosen: Set<String> = []
  // What is wished for holds wherever --quick stands.
  var wishes: (notes: Int?, soak: Nanoseconds?) = (nil, nil)
  var words = arguments[...]
  while let argument = words.popFirst() {
    switch argument {
    case "--quick": extent = .quick
    case "--json": asJSON = true
    case "--notes":
      guard let notes = words.popFirst().flatMap({ Int($0) }), (1...100_000).contains(notes) else {
        return refuse("--notes needs a number from 1 to 100000.")
      }
      wishes.notes = notes
    case "--for":
      guard let time = words.popFirst().flatMap(soakTime) else {
        return refuse("--for needs a time such as 90s, 10min or 1h.")
      }
      wishes.soak = time
    case "--help":
      StandardStream.output.write(usage)
      return 0
    default:
      guard sections.contains(where: { $0.name == argument }) else {
        return refuse("`\(argument)` is not known.")
      }
      chosen.insert(argument)
    }
  }
  extent.notes = wishes.notes ?? extent.notes
  extent.soak = wishes.soak ?? extent.soak
  let report = Report(asJSON: asJSON)
  report.head(Machine().facts + [("runs", "\(extent.runs)\(extent.isQuick ? ", quick" : "")")])
  for section in sections where chosen.isEmpty || chosen.contains(section.name) {
    report.section = section.name
    do {
      try section.measure(extent, report)
    } catch {
      StandardStream.error.line("sonde-bench: \(section.name): \(error)")
      return 1
    }
  }
  report.finish()
  return 0
}

private func refuse(_ sentence: String) -> Int32 {
  StandardStream.error.write("sonde-bench: \(sentence)\n\(usage)")
  return 2
}

/// `90s`, `10min` or `1h` in nanoseconds; nil for anything else, and for more than a week.
func soakTime(_ text: String) -> Nanoseconds? {
  for (unit, seconds) in [("min", 60), ("s", 1), ("h", 3600)] as [(String, Int64)] {
    guard text.hasSuffix(unit), let count = Int64(text.dropLast(unit.count)) else { continue }
    let isSensible = count > 0 && count <= 7 * 86_400 / seconds
    return isSensible ? count * seconds * .perSecond : nil
  }
  return nil
}
