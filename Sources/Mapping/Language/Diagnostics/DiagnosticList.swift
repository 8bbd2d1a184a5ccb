/// Collects what is found wrong while files are read and checked. One compilation, one thread.
final class DiagnosticList {
  var files = SourceFiles()
  private(set) var errorCount = 0
  var hasErrors: Bool { errorCount > 0 }
  private var entries: [(span: Span, diagnostic: Diagnostic)] = []
  private var seen: Set<Key> = []
  private var comparisonsLeft = 200_000

  /// A line repeated by braces is checked once per copy, yet its mistake is one mistake.
  private struct Key: Hashable {
    var id: DiagnosticID
    var span: Span
  }

  func report(
    _ id: DiagnosticID, _ severity: Diagnostic.Severity = .error, at span: Span,
    _ sentence: String, hint: String? = nil, related: (sentence: String, span: Span)? = nil
  ) {
    if severity == .error { errorCount += 1 }
    guard seen.insert(Key(id: id, span: span)).inserted else { return }
    let second = related.flatMap { related in
      related.span == span
        ? nil : Diagnostic.Related(sentence: related.sentence, place: files.place(of: related.span))
    }
    entries.append(
      (
        span,
        Diagnostic(
          id: id, severity: severity, place: files.place(of: span), sentence: sentence, hint: hint,
          related: second)
      ))
  }

  /// "did you mean `x`?" of the names that the mapping declares, or nil.
  ///
  /// A large mapping with a mistake in every line would compare millions of names; after enough of them only the
  /// mistakes are told.
  func hint(for name: String, in names: some Collection<String>) -> String? {
    guard names.count <= comparisonsLeft else { return nil }
    comparisonsLeft -= names.count
    return Suggestion.hint(for: name, in: names)
  }

  /// Something that the language has and this version has not; `what` begins the sentence.
  func reportMissing(_ what: String, at span: Span, hint: String? = nil) {
    report(
      .notInThisVersion, at: span, "\(what) is not in this version of Sonde.", hint: hint)
  }

  /// Everything reported, by file and position.
  var sorted: [Diagnostic] {
    entries.enumerated().sorted { left, right in
      let (a, b) = (left.element.span, right.element.span)
      if a.file != b.file { return a.file < b.file }
      return a.start != b.start ? a.start < b.start : left.offset < right.offset
    }.map(\.element.diagnostic)
  }
}
