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
  .events, .routes, .engine, .compilation,
]

/// How much is measured.
struct Extent {
  /// Every quantity is measured this often; the first, warming run does not count.
  let runs: Int
  /// What a full count is divided by.
  let divisor: Int

  static let full = Extent(runs: 9, divisor: 1)
  static let quick = Extent(runs: 3, divisor: 10)

  var isQuick: Bool { divisor > 1 }

  func count(_ full: Int) -> Int { max(1, full / divisor) }
}

private var usage: String {
  let width = (sections.map(\.name.count).max() ?? 0) + 2
  let list = sections.map { section in
    "  \(section.name)\(String(repeating: " ", count: width - section.name.count))\(section.summary)"
  }
  return """
    Usage: sonde-bench [--quick] [--json] [SECTION...]
    Measures Sonde; all of it without a SECTION.

    \(list.joined(separator: "\n"))

      --quick  a tenth of it, in fewer runs: shows that it works, not how fast it is
      --json   one JSON object instead of the tables

    """
}

/// Exit status: 0 done, 1 failed, 2 wrong command line.
func runBenchmarks(_ arguments: [String]) -> Int32 {
  var extent = Extent.full
  var asJSON = false
  var chosen: Set<String> = []
  for argument in arguments {
    switch argument {
    case "--quick": extent = .quick
    case "--json": asJSON = true
    case "--help":
      StandardStream.output.write(usage)
      return 0
    default:
      guard sections.contains(where: { $0.name == argument }) else {
        StandardStream.error.write("sonde-bench: `\(argument)` is not known.\n\(usage)")
        return 2
      }
      chosen.insert(argument)
    }
  }
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
