import LinuxIO

/// How much is measured.
struct Extent {
  /// Every quantity is measured this often; the first, warming run does not count.
  let runs: Int
  /// What a full count is divided by.
  let divisor: Int

  static let full = Extent(runs: 9, divisor: 1)
  static let quick = Extent(runs: 3, divisor: 10)

  func count(_ full: Int) -> Int { max(1, full / divisor) }
}

private let usage = """
  Usage: sonde-bench [--quick] [--json] [PART...]
  Measures Sonde: \(parts.map(\.name).joined(separator: ", ")); all of it without a PART.
    --quick  a tenth of it, in fewer runs: shows that it works, not how fast it is
    --json   one JSON array instead of the table

  """

private let parts: [(name: String, measure: @Sendable (Extent, Report) throws -> Void)] = [
  ("events", measureEvents), ("routes", measureRoutes), ("engine", measureEngine),
  ("compile", measureCompilation),
]

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
      guard parts.contains(where: { $0.name == argument }) else {
        StandardStream.error.write("sonde-bench: `\(argument)` is not known.\n\(usage)")
        return 2
      }
      chosen.insert(argument)
    }
  }
  let report = Report(asJSON: asJSON)
  for part in parts where chosen.isEmpty || chosen.contains(part.name) {
    do {
      try part.measure(extent, report)
    } catch {
      StandardStream.error.line("sonde-bench: \(error)")
      return 1
    }
  }
  report.finish()
  return 0
}
