import Bridge
import Events

/// What happens to devices, in words.
enum InputSentences {
  /// - Parameter hasMapping: whether to say what the mapping calls a device.
  static func text(_ report: InputReport, hasMapping: Bool = true) -> String {
    switch report {
    case .plugged(_, let description, let names, let identity):
      let known = names.isEmpty ? "no line of the mapping uses it" : names.joined(separator: ", ")
      return "+ \(description.name.printable) (\(identity.printable))"
        + (hasMapping ? ": \(known)" : "")
    case .unplugged(_, let description): return "- \(description.name.printable)"
    case .unreadable(_, let sentence): return sentence.printable
    case .readable(let path): return "\(path) can be read now."
    }
  }
}
