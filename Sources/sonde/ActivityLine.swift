import Events

/// One line of text that shows what moves: the controls that changed lately, each with its value.
///
/// Pure: the caller brings events and time, and prints.
struct ActivityLine {
  /// How long a control stays in the line after it last moved.
  private static let persistence: Nanoseconds = 700_000_000

  private struct Entry {
    var value: Double
    var time: Nanoseconds
  }

  private var entries: [ControlID: Entry] = [:]

  /// Takes what a device did.
  mutating func note(_ event: ControlEvent) {
    switch event.kind {
    case .value:
      // A jitter of a sensor is no movement.
      if let known = entries[event.control], !event.control.isButton {
        let range = Control.numbered(event.control)?.range.span ?? 1
        if Swift.abs(known.value - event.value) < range * 0.01 { return }
      }
      entries[event.control] = Entry(value: event.value, time: event.time)
    case .unplugged: entries.removeAll()
    default: break
    }
  }

  /// The line at `time`, at most `width` columns wide.
  mutating func text(at time: Nanoseconds, width: Int) -> String {
    entries = entries.filter { control, entry in
      time - entry.time < ActivityLine.persistence || control.isButton && entry.value != 0
    }
    var line = ""
    var used = 0
    for (control, entry) in entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard let known = Control.numbered(control), entry.value != 0 || !control.isButton else {
        continue
      }
      let word =
        control.isButton
        ? "[\(known.name)]" : "\(known.name) \(ActivityLine.bar(entry.value, known.range))"
      if used + word.count + 2 > width { break }
      line += (line.isEmpty ? "" : "  ") + word
      used += word.count + 2
    }
    return line
  }

  /// Where `value` lies in `range`, in six columns.
  private static func bar(_ value: Double, _ range: ValueRange) -> String {
    let columns = 6
    let place = range.clamp(value) - range.low
    let column = min(columns - 1, Int(place / range.span * Double(columns)))
    return (0..<columns).map { $0 == column ? "●" : "·" }.joined()
  }
}

extension ControlID {
  fileprivate var isButton: Bool {
    if case .button? = Control.numbered(self)?.kind { return true }
    return false
  }
}
