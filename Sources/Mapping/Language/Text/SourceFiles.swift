/// All files that make one mapping, in the order in which they were read.
struct SourceFiles: Sendable {
  private(set) var texts: [SourceText] = []

  /// Adds a file and returns its number.
  mutating func add(_ text: SourceText) -> Int {
    texts.append(text)
    return texts.count - 1
  }

  subscript(file: Int) -> SourceText { texts[file] }

  /// Where `span` is, in the words of a reader.
  func place(of span: Span) -> Diagnostic.Place {
    let text = texts[span.file]
    let start = text.position(of: span.start)
    let end = text.position(of: max(span.end, span.start))
    return Diagnostic.Place(
      file: text.name, line: start.line, column: start.column, endLine: end.line,
      endColumn: end.column, text: text.lineText(start.line - 1))
  }
}
