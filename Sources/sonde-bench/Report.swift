import Bridge
import LinuxIO

/// Prints a line of the table as soon as something is measured, or gathers it for JSON.
final class Report {
  private let asJSON: Bool
  private var entries: [JSON] = []
  private var section = ""

  init(asJSON: Bool) { self.asJSON = asJSON }

  /// Begins a table. `unit` is what the times are for, `remark` what they hold.
  func begin(_ title: String, per unit: String, _ remark: String) {
    section = title
    if asJSON { return }
    StandardStream.output.write(
      """

      \(title)
      \(remark)
      \(Report.row(unit.first.map { $0.uppercased() + unit.dropFirst() } ?? "", "CPU time", "spread", "wall time", ""))

      """)
  }

  /// Adds a measurement; `figures` are what follows from it, with a word or two.
  func add(
    _ name: String, _ measurement: Measurement,
    _ figures: [(name: String, value: Double, text: String)] = []
  ) {
    let (processor, wall) = (measurement.processor, measurement.wall)
    if !asJSON {
      let spread = (processor.upperQuartile - processor.lowerQuartile) / processor.median * 100
      StandardStream.output.line(
        Report.row(
          name, Report.time(processor.median), "\(Report.decimals(spread, 1)) %",
          Report.time(wall.median), figures.map(\.text).joined(separator: ", ")))
      return
    }
    var members: [(name: String, value: JSON)] = [
      ("section", .string(section)), ("name", .string(name)),
      ("cpu_ns", .number(processor.median)), ("cpu_ns_q1", .number(processor.lowerQuartile)),
      ("cpu_ns_q3", .number(processor.upperQuartile)), ("wall_ns", .number(wall.median)),
    ]
    members += figures.map { ($0.name, .number($0.value)) }
    entries.append(.object(members))
  }

  /// Says why something could not be measured.
  func remark(_ text: String) {
    if asJSON {
      entries.append(.object([("section", .string(section)), ("remark", .string(text))]))
    } else {
      StandardStream.output.line(text)
    }
  }

  func finish() {
    if asJSON { StandardStream.output.line(JSON.array(entries).text) }
  }

  private static func row(
    _ name: String, _ processor: String, _ spread: String, _ wall: String, _ figures: String
  ) -> String {
    let filled = name + String(repeating: " ", count: max(0, 46 - name.count))
    let columns = [(processor, 12), (spread, 9), (wall, 12)].map { text, width in
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    return "  " + filled + columns.joined() + (figures.isEmpty ? "" : "   " + figures)
  }

  static func time(_ nanoseconds: Double) -> String {
    switch abs(nanoseconds) {
    case ..<1000: "\(decimals(nanoseconds, 1)) ns"
    case ..<1e6: "\(decimals(nanoseconds / 1e3, 2)) µs"
    case ..<1e9: "\(decimals(nanoseconds / 1e6, 2)) ms"
    default: "\(decimals(nanoseconds / 1e9, 2)) s"
    }
  }

  static func decimals(_ value: Double, _ count: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let whole = Int((abs(value) * Double(scale)).rounded())
    let digits = String(whole % scale)
    let sign = value < 0 && whole > 0 ? "−" : ""
    if count == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole / scale)."
      + String(repeating: "0", count: count - digits.count) + digits
  }
}
