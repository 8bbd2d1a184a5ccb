/// `{a..b}` and `{a,b,c}`: one written line that stands for several.
struct BraceRepetition {
  /// How many lines one line may stand for; enough for every MIDI note on every channel.
  static let limit = 10_000

  /// Why a line's braces cannot be repeated.
  struct Failure: Error {
    var id: DiagnosticID
    var span: Span
    var sentence: String
    var hint: String
    var related: Span?
  }

  private struct Group {
    var range: Range<Int>
    var items: [[Unicode.Scalar]]
  }

  /// The lines that `line` stands for: itself alone when it has no braces to repeat.
  static func expand(_ line: LogicalLine) throws(Failure) -> [LogicalLine] {
    let groups = try groups(of: line)
    guard let first = groups.first else { return [line] }
    for group in groups.dropFirst() where group.items.count != first.items.count {
      throw Failure(
        id: .unequalBraces, span: line.span(group.range),
        sentence:
          "These braces stand for \(group.items.count) lines, the first ones of the line for \(first.items.count).",
        hint: "give all braces of a line the same number of items",
        related: line.span(first.range))
    }
    return first.items.indices.map { number in
      var characters: [SourceCharacter] = []
      var position = 0
      for group in groups {
        characters += line.characters[position..<group.range.lowerBound]
        let span = line.span(group.range)
        characters += group.items[number].map {
          SourceCharacter(scalar: $0, start: span.start, end: span.end)
        }
        position = group.range.upperBound
      }
      characters += line.characters[position...]
      return LogicalLine(file: line.file, characters: characters, comment: line.comment)
    }
  }

  private static func groups(of line: LogicalLine) throws(Failure) -> [Group] {
    let characters = line.characters
    var groups: [Group] = []
    var isQuoted = false
    var index = 0
    while index < characters.count {
      let scalar = characters[index].scalar
      if isQuoted && scalar == "\\" {
        index += 2
        continue
      }
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == "}" && !isQuoted {
        throw malformed(line.span(index..<index + 1), "This } closes no brace.")
      }
      guard scalar == "{" else {
        index += 1
        continue
      }
      var end = index + 1
      while end < characters.count, !["{", "}", "\""].contains(characters[end].scalar) { end += 1 }
      guard end < characters.count, characters[end].scalar == "}" else {
        if !isQuoted { throw malformed(line.span(index..<index + 1), "This { is not closed.") }
        index += 1
        continue
      }
      let range = index..<end + 1
      let content = characters[index + 1..<end].map(\.scalar)
      if let items = try items(content, line.span(range)) {
        groups.append(Group(range: range, items: items))
      } else if !isQuoted {
        throw malformed(
          line.span(range), "Braces outside quotes repeat a line, and these name nothing to repeat."
        )
      }
      index = end + 1
    }
    return groups
  }

  /// What the braces count or list, or nil if they do neither.
  private static func items(
    _ content: [Unicode.Scalar], _ span: Span
  ) throws(Failure) -> [[Unicode.Scalar]]? {
    if content.contains(",") {
      let items = content.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
      if items.contains([]) { throw malformed(span, "One of the items in these braces is empty.") }
      return items
    }
    guard let (first, last) = bounds(content) else { return nil }
    let count = first.distance(to: last).magnitude
    guard count < limit else {
      throw malformed(span, "These braces stand for more than \(limit) lines.")
    }
    return stride(from: first, through: last, by: first <= last ? 1 : -1).map {
      Array(String($0).unicodeScalars)
    }
  }

  /// The numbers of `a..b`. Twelve digits are more than the limit allows and cannot overflow.
  private static func bounds(_ content: [Unicode.Scalar]) -> (Int, Int)? {
    guard
      let dots = content.indices.dropLast().first(where: {
        content[$0...].starts(with: "..".unicodeScalars)
      })
    else { return nil }
    func number(_ part: [Unicode.Scalar]) -> Int? {
      let digits = part.first == "-" ? part.dropFirst() : part[...]
      guard !digits.isEmpty, digits.count <= 12, digits.allSatisfy({ $0 >= "0" && $0 <= "9" })
      else {
        return nil
      }
      return Int(String(String.UnicodeScalarView(part)))
    }
    guard let first = number(trimmed(content[..<dots])),
      let last = number(trimmed(content[(dots + 2)...]))
    else { return nil }
    return (first, last)
  }

  private static func trimmed(_ part: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
    var part = part
    while let first = part.first, first == " " || first == "\t" { part.removeFirst() }
    while let last = part.last, last == " " || last == "\t" { part.removeLast() }
    return Array(part)
  }

  private static func malformed(_ span: Span, _ sentence: String) -> Failure {
    Failure(
      id: .badBraces, span: span, sentence: sentence,
      hint: "write {1..4} to count or {low,mid,high} to list", related: nil)
  }
}
