import Bridge
import LinuxIO

/// A number of a table: its name in JSON, and how the table shows it.
typealias Figure = (name: String, value: Double, text: String)

/// Prints a line of a table as soon as something is measured, or gathers it for JSON.
///
/// Before the tables stands what the figures depend on (`head`); a section adds its own settings to that.
final class Report {
  /// The section that is measured now.
  var section = ""
  private let asJSON: Bool
  private var table = ""
  private var machine: [(name: String, value: JSON)] = []
  private var settings: [JSON] = []
  private var results: [JSON] = []

  init(asJSON: Bool) { self.asJSON = asJSON }

  /// Says where and with what everything is measured.
  func head(_ facts: [(name: String, value: String)]) {
    machine = facts.map { ($0.name, .string($0.value)) }
    if asJSON { return }
    let width = facts.map(\.name.count).max() ?? 0
    for (name, value) in facts {
      StandardStream.output.line(
        "\(name)\(String(repeating: " ", count: width - name.count))  \(value)")
    }
  }

  /// Begins a table of measurements. `unit` is what the times are for, `remark` what they hold.
  func begin(_ title: String, per unit: String, _ remark: String) {
    let first = unit.first.map { $0.uppercased() + unit.dropFirst() } ?? ""
    begin(title, columns: [first, "CPU time", "spread", "wall time"], remark)
  }

  /// Begins a table of anything: the first column names the rows, the others are their figures.
  func begin(_ title: String, columns: [String], _ remark: String) {
    table = title
    if asJSON { return }
    StandardStream.output.write(
      """

      \(title)
      \(remark)
      \(Report.line(columns[0], Array(columns.dropFirst()), ""))

      """)
  }

  /// Says what a table was measured with: a period, a driver, a peer's version.
  func setting(_ name: String, _ value: String) {
    settings.append(
      .object([
        ("section", .string(section)), ("name", .string(name)), ("value", .string(value)),
      ]))
    if !asJSON { StandardStream.output.line("\(name): \(value)") }
  }

  /// Adds a measurement; `notes` are what follows from it, with a word or two.
  func add(_ name: String, _ measurement: Measurement, _ notes: [Figure] = []) {
    let (processor, wall) = (measurement.processor, measurement.wall)
    let spread = (processor.upperQuartile - processor.lowerQuartile) / processor.median
    let hidden: [Figure] = [
      ("cpu_ns_q1", processor.lowerQuartile, ""), ("cpu_ns_q3", processor.upperQuartile, ""),
    ]
    row(
      name,
      [
        ("cpu_ns", processor.median, Report.time(processor.median)),
        ("spread", spread, "\(Report.decimals(spread * 100, 1)) %"),
        ("wall_ns", wall.median, Report.time(wall.median)),
      ], hidden + notes)
  }

  /// Adds a row: a figure for each column after the first, then what does not fit a column, where it has a text.
  func row(_ name: String, _ cells: [Figure], _ notes: [Figure] = []) {
    if !asJSON {
      let text = notes.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
      StandardStream.output.line(Report.line(name, cells.map(\.text), text))
    }
    let place: [(name: String, value: JSON)] = [
      ("section", .string(section)), ("table", .string(table)), ("name", .string(name)),
    ]
    results.append(.object(place + (cells + notes).map { ($0.name, .number($0.value)) }))
  }

  /// Says why something could not be measured.
  func remark(_ text: String) {
    results.append(
      .object([
        ("section", .string(section)), ("table", .string(table)), ("remark", .string(text)),
      ]))
    if !asJSON { StandardStream.output.line(text) }
  }

  func finish() {
    if !asJSON { return }
    let whole = JSON.object([
      ("machine", .object(machine)), ("settings", .array(settings)), ("results", .array(results)),
    ])
    StandardStream.output.line(whole.text)
  }

  private static func line(_ name: String, _ cells: [String], _ notes: String) -> String {
    let filled = name + String(repeating: " ", count: max(0, 46 - name.count))
    let columns = cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
    return "  " + filled + columns.joined() + (notes.isEmpty ? "" : "   " + notes)
  }

  static func time(_ nanoseconds: Double) -> String {
    switch abs(nanoseconds) {
    case ..<1000: "\(decimals(nanoseconds, 1)) ns"
    case ..<1e6: "\(decimals(nanoseconds / 1e3, 2)) µs"
    case ..<1e9: "\(decimals(nanoseconds / 1e6, 2)) ms"
    default: "\(decimals(nanoseconds / 1e9, 2)) s"
    }
  }

  /// A count with its thousands set apart.
  static func whole(_ count: Int) -> String {
    var digits = String(count)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits.removeLast(3)
    }
    return ([digits[...]] + groups).joined(separator: " ")
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
