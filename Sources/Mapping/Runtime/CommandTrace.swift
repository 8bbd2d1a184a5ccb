public import Events

/// Writes what every target received as lines of comma-separated values: `sonde trace`.
///
/// Values are those before the k-rate stages. Lines that Sonde added by itself do not show.
public struct CommandTrace {
  /// The first line, without its line feed.
  public static let header = "time,target,value"

  private var names: [Program.SlotName]
  private let start: Nanoseconds
  private var lastValues: [String: Double] = [:]

  /// - Parameter start: the moment that is written as 0.
  public init(_ program: Program, start: Nanoseconds) {
    names = program.slotNames
    self.start = start
  }

  /// From here on commands are those of `program`: after a `switch` to it.
  public mutating func use(_ program: Program) { names = program.slotNames }

  /// The line for `command` without its line feed, or nil where nothing shows: a value that its target already has.
  public mutating func line(for command: EngineCommand) -> String? {
    let slot = Int(command.slot)
    let text: String
    switch command.kind {
    case .switch, .panic: return nil
    case .value, .noteOn, .noteOff:
      guard names.indices.contains(slot), !names[slot].isImplicit else { return nil }
      let target = names[slot].target
      switch command.kind {
      case .noteOn: text = "\(command.key.shortestText) \(command.value.shortestText)"
      case .noteOff: text = "off"
      default:
        if lastValues.updateValue(command.value, forKey: target) == command.value { return nil }
        text = command.value.shortestText
      }
    }
    return "\(seconds(command.time - start)),\(quoted(names[slot].target)),\(text)"
  }

  /// Seconds with six decimals, rounded to the nearest.
  private func seconds(_ time: Nanoseconds) -> String {
    let microseconds = (time.magnitude + 500) / 1000
    let fraction = String(microseconds % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
    return "\(time < 0 ? "-" : "")\(microseconds / 1_000_000).\(zeros)\(fraction)"
  }

  /// A field by RFC 4180: in quotes where it holds a comma, a quote or a line break.
  private func quoted(_ field: String) -> String {
    let special = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    if !special { return field }
    return "\"" + field.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
