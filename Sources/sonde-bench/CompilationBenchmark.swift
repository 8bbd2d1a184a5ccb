import Events
import Mapping

extension Section {
  static let compilation = Section(
    name: "compile", summary: "from a mapping's text to a program", measure: measureCompilation)
}

/// How long a mapping takes from its text to a program.
private func measureCompilation(_ extent: Extent, _ report: Report) throws {
  report.begin(
    "Compiling a mapping", per: "per mapping",
    "From text to a program; then again after a reload, with every line the same.")
  for count in extent.isQuick ? [1000, 10_000] : [1000, 10_000, 100_000] {
    let text = mappingText(lines: count)
    let file = MappingFile(path: "bench.map", bytes: Array(text.utf8))
    let name = "\(Report.whole(count)) lines"
    let program = try compile(text)

    func add(_ step: String, _ work: () throws -> Void) rethrows {
      let measurement = try Measurement(runs: extent.runs) {
        try work()
        return 1
      }
      let each = measurement.processor.median / Double(count)
      report.add(
        "\(name), \(step)", measurement, [("ns_per_line", each, "\(Report.time(each)) a line")])
    }
    add("read and check") {
      let compilation = MappingCompiler.check([file]) { path, _ in
        .failure(MappingReadFailure(reason: "\(path) is not there"))
      }
      use(Double(compilation.diagnostics.count))
    }
    add("make the program") { use(Double(Program(program.description).generation)) }
    try add("all of it") { use(Double(try compile(text).generation)) }
    try add("all of it, as a reload") { use(Double(try compile(text, after: program).generation)) }
  }
}

/// Lines as people write them: widgets, sticks through stages, motion, notes, plain channels.
private func mappingText(lines: Int) -> String {
  var text = "device pad gamepad\n"
  let controls = ["left.x", "left.y", "right.x", "right.y", "left.trigger", "right.trigger"]
  let buttons = ["south", "east", "west", "north", "left.shoulder", "right.shoulder"]
  for index in 0..<lines / 5 {
    let control = controls[index % controls.count]
    let button = buttons[index % buttons.count]
    text += """
      widget slider cutoff\(index) min=60 max=10000 default=3000 scale=log
      pad.\(control) | deadzone 0.08 | to 0..1 pow 3 | smooth 20ms -> brightness\(index)
      pad.attitude.roll | from -45deg..45deg -> cutoff\(index)   # a comment
      pad.\(button) -> note Pluck key=C4
      pad.accelerometer -> "ax\(index)", ay\(index), az\(index)

      """
  }
  return text
}
