/// One file of a mapping: its path, by which diagnostics name it, and its bytes.
public struct MappingFile: Sendable {
  public var path: String
  public var bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// Why an included file could not be read, as the end of a sentence: "it does not exist".
public struct MappingReadFailure: Error, Sendable {
  public var reason: String

  public init(reason: String) { self.reason = reason }
}

/// Reads an included file: `path` is already resolved against the file that names it, `includedFrom`.
public typealias MappingFileReader =
  (_ path: String, _ includedFrom: String) -> Result<[UInt8], MappingReadFailure>

/// Reads all files of a mapping, each once, and follows its includes.
struct MappingReader {
  private let read: MappingFileReader
  private let diagnostics: DiagnosticList
  private var statements: [Statement] = []
  /// Everything that was read or asked for, in that order.
  private var paths: [String] = []
  /// The files being read now, outermost first, and the include that led to each.
  private var open: [(path: String, include: Span?)] = []

  /// The statements of `files` and of what they include, and the paths of all files that were asked for.
  static func statements(
    of files: [MappingFile], read: MappingFileReader, diagnostics: DiagnosticList
  ) -> (statements: [Statement], paths: [String]) {
    withoutActuallyEscaping(read) { read in
      var reader = MappingReader(read: read, diagnostics: diagnostics)
      for file in files { reader.add(file, include: nil) }
      return (reader.statements, reader.paths)
    }
  }

  private init(read: @escaping MappingFileReader, diagnostics: DiagnosticList) {
    self.read = read
    self.diagnostics = diagnostics
  }

  private mutating func add(_ file: MappingFile, include: Span?) {
    let path = FilePath.normalised(file.path)
    if include == nil {
      if paths.contains(path) { return }
      paths.append(path)
    }
    open.append((path, include))
    defer { open.removeLast() }
    let text = SourceText(name: file.path, bytes: file.bytes)
    let number = diagnostics.files.add(text)
    if let defect = text.defect {
      report(defect, file: number)
      return
    }
    let errors = diagnostics.errorCount
    let found = Parser.statements(of: text, file: number, diagnostics: diagnostics)
    if let include, found.isEmpty, diagnostics.errorCount == errors {
      diagnostics.report(
        .emptyInclude, .warning, at: include, "The included file holds no statement.",
        hint: "remove the line, or fill \(file.path)")
    }
    for statement in found {
      if case .include(let name) = statement.kind {
        follow(name, from: file.path)
      } else {
        statements.append(statement)
      }
    }
  }

  private mutating func follow(_ name: Name, from file: String) {
    let path = FilePath.resolve(name.text, relativeTo: file)
    if let start = open.firstIndex(where: { $0.path == path }) {
      let next = start + 1 < open.count ? open[start + 1].include : nil
      diagnostics.report(
        .includeCycle, at: name.span, "This include closes a circle of files.",
        hint: "remove one of the includes; every file is part of the mapping anyway",
        related: next.map { ("The circle begins here.", $0) })
      return
    }
    if paths.contains(path) { return }
    paths.append(path)
    switch read(path, file) {
    case .success(let bytes):
      add(MappingFile(path: path, bytes: bytes), include: name.span)
    case .failure(let failure):
      diagnostics.report(
        .unreadableFile, at: name.span,
        "The included file \(path) cannot be read: \(failure.reason).",
        hint: "a path is relative to the folder of the file that names it")
    }
  }

  private func report(_ defect: SourceText.Defect, file: Int) {
    switch defect {
    case .invalidUTF8(let offset):
      diagnostics.report(
        .notText, at: Span(file: file, start: offset, end: offset),
        "The file is not UTF-8 from here on.", hint: "save it as UTF-8")
    case .binary(let offset):
      diagnostics.report(
        .notText, at: Span(file: file, start: offset, end: offset),
        "The file holds a zero byte: it is not a mapping but a binary file.",
        hint: "name a text file")
    case .utf16:
      diagnostics.report(
        .notText, at: Span(file: file, start: 0, end: 0), "The file is UTF-16.",
        hint: "save it as UTF-8")
    }
  }
}
