/// What came of the files of a mapping.
public struct MappingCompilation: Sendable {
  /// The mapping, or nil when there was an error.
  public var description: MappingDescription?
  /// Everything to say about it, by file and position.
  public var diagnostics: [Diagnostic]
  /// The paths of all files that it consists of, also of those that could not be read: what to watch for changes.
  public var paths: [String]
  /// Whether the files hold no statement at all, as while an editor rewrites them.
  public var isEmpty: Bool

  /// Whether the mapping cannot be used.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// The way from the text of mapping files to what plays.
public enum MappingCompiler {
  /// Reads, checks and resolves a mapping. CONTROL thread; does no input or output of its own.
  ///
  /// - Parameters:
  ///   - files: the files named on the command line, in that order.
  ///   - read: reads a file that an `include` names.
  public static func check(
    _ files: [MappingFile], read: MappingFileReader
  ) -> MappingCompilation {
    let diagnostics = DiagnosticList()
    let (statements, paths) = MappingReader.statements(
      of: files, read: read, diagnostics: diagnostics)
    let mapping = Checker.check(statements, diagnostics: diagnostics)
    return MappingCompilation(
      description: diagnostics.hasErrors
        ? nil : Lowering.description(of: mapping, files: diagnostics.files),
      diagnostics: diagnostics.sorted, paths: paths, isEmpty: statements.isEmpty)
  }

  /// Reads, checks and compiles a mapping. CONTROL thread; does no input or output of its own.
  ///
  /// There is no program when there was an error, nor when `previous` would be replaced by a mapping without any
  /// statement: a file that is being written is empty for a moment.
  ///
  /// - Parameter previous: the program in use, whose lines, channels and widgets go on where the new one has the same.
  public static func compile(
    _ files: [MappingFile], after previous: Program? = nil, read: MappingFileReader
  ) -> (program: Program?, compilation: MappingCompilation) {
    let compilation = check(files, read: read)
    guard let description = compilation.description, previous == nil || !compilation.isEmpty else {
      return (nil, compilation)
    }
    return (Program(description, after: previous), compilation)
  }
}
