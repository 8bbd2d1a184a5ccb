import Bridge
import Events

/// What happens to devices, in words.
enum InputSentences {
  static func text(_ report: InputReport) -> String {
    switch report {
    case .plugged(_, let description, let names, let identity):
      let known = names.isEmpty ? "no line of the mapping uses it" : names.joined(separator: ", ")
      return "+ \(description.name) (\(identity)): \(known)"
    case .unplugged(_, let description): return "- \(description.name)"
    case .unreadable(_, let sentence): return sentence
    case .readable(let path): return "\(path) can be read now."
    }
  }
}
