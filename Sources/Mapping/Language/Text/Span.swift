/// A half-open range of bytes in one of the files that make a mapping.
struct Span: Hashable, Sendable {
  /// The file's number in `SourceFiles`.
  var file: Int
  var start: Int
  var end: Int

  /// The smallest span that holds this one and `other`.
  func joined(with other: Span) -> Span {
    Span(file: file, start: min(start, other.start), end: max(end, other.end))
  }

  /// The empty place right behind this span.
  var after: Span { Span(file: file, start: end, end: end) }
}
