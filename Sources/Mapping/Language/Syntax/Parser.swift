/// Reads the statements of a file. A line that cannot be read is reported and left out; the rest is read on.
struct Parser {
  /// The statements of `text`, which is file number `file` of `diagnostics.files`.
  static func statements(
    of text: SourceText, file: Int, diagnostics: DiagnosticList
  ) -> [Statement] {
    var statements: [Statement] = []
    for line in LogicalLine.lines(of: text, file: file) {
      do throws(BraceRepetition.Failure) {
        for copy in try BraceRepetition.expand(line) {
          let tokens = Lexer.tokens(of: copy)
          if tokens[0].kind == .end { continue }
          var parser = StatementParser(tokens, diagnostics: diagnostics)
          if let statement = parser.statement() { statements.append(statement) }
        }
      } catch {
        diagnostics.report(
          error.id, at: error.span, error.sentence, hint: error.hint,
          related: error.related.map { ("The first braces of the line.", $0) })
      }
    }
    return statements
  }
}
