import LinuxIO

/// The text of a CSD, checked to be one, and what Sonde has to know of it before Csound reads it.
struct CSDFile {
  /// What messages call it.
  let name: String
  /// Where relative paths in it start.
  let folder: String
  /// The path, when it came from a file.
  let path: String?
  /// The whole text, as bytes: comments of old CSDs are not always UTF-8.
  let text: [UInt8]

  /// - Throws: `EngineError` that says why it is not a CSD.
  init(_ source: EngineConfiguration.Source) throws(EngineError) {
    switch source {
    case .file(let path):
      name = path
      self.path = path
      folder = CSDFile.folder(of: path)
      text = try CSDFile.contents(of: path)
    case .text(let text, let name, let folder):
      self.name = name
      self.folder = folder
      path = nil
      self.text = Array(text.utf8)
    }
    try checkIsCSD()
    if let fault = ScoreCheck.firstFault(in: self) {
      throw EngineError(.compile, "\(name):\(fault.line): \(fault.sentence); correct it.")
    }
  }

  private static func folder(of path: String) -> String {
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    if parent.isEmpty { return path.hasPrefix("/") ? "/" : "." }
    return parent
  }

  private static func contents(of path: String) throws(EngineError) -> [UInt8] {
    guard let status = fileStatus(path) else {
      throw EngineError(.source, "\(path) does not exist; check the name of the CSD.")
    }
    if status.kind == .folder {
      throw EngineError(.source, "\(path) is a folder; name a CSD file in it.")
    }
    do {
      return try readFile(path)
    } catch {
      throw EngineError(.source, "The CSD cannot be read: \(error).")
    }
  }

  private func checkIsCSD() throws(EngineError) {
    if text.contains(0) {
      throw EngineError(.source, "\(name) is a binary file, not a CSD; name a .csd text file.")
    }
    for tag in ["<CsoundSynthesizer>", "<CsInstruments>"] where lineIndex(of: tag) == nil {
      throw EngineError(
        .source,
        "\(name) is not a CSD: no line starts with \(tag); name a .csd file.")
    }
  }

  /// The lines of the text, without their ends.
  private(set) lazy var lines: [ArraySlice<UInt8>] = CSDFile.split(text)

  private static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
    }
  }

  private func lineIndex(of tag: String, from start: Int = 0) -> Int? {
    let wanted = Array(tag.utf8)
    return CSDFile.split(text).dropFirst(start).firstIndex {
      CSDFile.trimmed($0).starts(with: wanted)
    }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // A byte order mark may precede the first tag.
    line.drop { $0 == 32 || $0 == 9 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
  }

  /// The lines between two tags, with the number of the first one (from 1), or nil.
  func section(_ tag: String) -> (lines: [String], first: Int)? {
    guard let start = lineIndex(of: "<\(tag)>"), let end = lineIndex(of: "</\(tag)>", from: start)
    else { return nil }
    let lines = CSDFile.split(text)[(start + 1)..<max(end, start + 1)]
    return (lines.map { String(decoding: $0, as: UTF8.self) }, start + 2)
  }

  /// The text for Csound: tags at the start of their lines, and no options, which Sonde hands over by itself.
  ///
  /// Line numbers stay what they are in the file.
  var textWithoutOptions: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 1)
    var isInOptions = false
    for line in CSDFile.split(text) {
      let content = CSDFile.trimmed(line)
      let isTag = content.first == UInt8(ascii: "<")
      if isTag && content.starts(with: Array("</CsOptions>".utf8)) { isInOptions = false }
      if !isInOptions { result += isTag ? content : line }
      result.append(UInt8(ascii: "\n"))
      if isTag && content.starts(with: Array("<CsOptions>".utf8)) { isInOptions = true }
    }
    result.append(0)
    return result
  }

  /// Whether the score never ends by itself: it is empty, or holds a statement that lasts for ever (`f 0 z`).
  var isEndless: Bool {
    guard let score = section("CsScore") else { return true }
    var isEmpty = true
    for line in score.lines {
      let statement = line.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
      guard let letter = statement.first else { continue }
      if letter == "f" || letter == "i" || letter == "e" || letter == "s" { isEmpty = false }
      if letter == "f" || letter == "i" {
        let fields = statement.dropFirst().split { $0 == " " || $0 == "\t" }
        if fields.dropFirst().contains("z") { return true }
      }
    }
    return isEmpty
  }

  /// The names of instruments that the orchestra declares; those in included files are not among them.
  var instrumentNames: [String] {
    guard let orchestra = section("CsInstruments") else { return [] }
    var names: [String] = []
    for line in orchestra.lines {
      let words = line.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
      if !words.hasPrefix("instr ") && !words.hasPrefix("instr\t") { continue }
      for part in words.dropFirst(6).split(separator: ",") {
        let name = part.filter { $0 != " " && $0 != "\t" && $0 != "+" }
        if isInstrumentName(name) { names.append(name) }
      }
    }
    return names
  }
}

/// Whether `name` can be the name of an instrument: letters, digits and _, not starting with a digit.
func isInstrumentName(_ name: String) -> Bool {
  guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
  return name.utf8.allSatisfy {
    (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
  }
}
