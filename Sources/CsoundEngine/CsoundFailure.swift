/// What a user needs of the lines that Csound printed before it gave up.
struct CsoundFailure {
  /// The lines that say something about the fault.
  let details: [String]
  /// The line of the CSD that Csound names, if it does.
  let line: Int?

  // Said before or after every fault, whatever it is.
  private static let empty = [
    "Reading options from", "UnifiedCSD:", "Parsing failed", "Stopping on parser failure",
    "cannot compile orchestra", "sorting score", "end of score", "overall samples", "overall amps",
    "errors in performance", "Elapsed time", "no sound written", "inactive allocs",
    "Internal error in print_input_backtrace", "uses instrument number", "--Csound version",
    "[commit", "libsndfile", "graphics suppressed", "orch now loaded", "audio buffered",
    "writing ", "0dBFS level", "SECTION ", "rtaudio:", "rtmidi:", "displays suppressed",
    "not writing to sound", "WARNING: Attempt to load",
  ]

  /// - Parameter firstLine: how Csound numbers the first line of what it was given.
  init(
    _ messages: [EngineMessage], name: String, checkedAs path: String? = nil, firstLine: Int = 1
  ) {
    var kept: [String] = []
    var found: Int?
    for message in messages {
      let text = CsoundFailure.renumbered(message.text.trimmingBlanks, firstLine)
      if text.isEmpty || CsoundFailure.empty.contains(where: text.contains) { continue }
      if text.hasPrefix("sr = ") { continue }
      if found == nil { found = CsoundFailure.lineNumber(in: text) }
      kept.append(CsoundFailure.renamed(text, path, name))
    }
    details = Array(kept.suffix(20))
    line = found
  }

  private static func renamed(_ text: String, _ path: String?, _ name: String) -> String {
    var result = text
    for stand in [path, "*string*"].compactMap({ $0 }) {
      if let range = result.firstRange(of: stand) { result.replaceSubrange(range, with: name) }
    }
    return result
  }

  private static func renumbered(_ text: String, _ firstLine: Int) -> String {
    if firstLine == 1 { return text }
    guard let number = lineNumber(in: text), number >= firstLine,
      let range = text.firstRange(of: " \(number)")
    else { return text }
    var result = text
    result.replaceSubrange(range, with: " \(number - firstLine + 1)")
    return result
  }

  // "line 11:", "Line 12".
  private static func lineNumber(in text: String) -> Int? {
    var rest = Substring(text.lowercased())
    while let range = rest.firstRange(of: "line ") {
      rest = rest[range.upperBound...]
      if let number = Int(rest.prefix { $0.isASCII && $0.isNumber }) { return number }
    }
    return nil
  }
}

extension String {
  var trimmingBlanks: String {
    func isBlank(_ letter: Character) -> Bool { letter == " " || letter == "\t" }
    var result = self[...].drop(while: isBlank)
    while let last = result.last, isBlank(last) { result.removeLast() }
    return String(result)
  }
}
