/// Orchestra code, checked so far that Csound's preprocessor comes to its end.
///
/// libcsound64 6.18 ends the process on comments, strings and macros that are not closed; what is merely wrong it
/// says itself, with the line.
struct OrchestraText: Sendable {
  /// For Csound: null-terminated.
  let bytes: [UInt8]

  /// - Throws: `EngineError` that names the line, the column and what to do.
  init(_ text: String) throws(EngineError) {
    var check = OrchestraCheck(Array(text.utf8))
    try check.run()
    bytes = Array(text.utf8) + [UInt8(ascii: "\n"), 0]
  }
}

private struct OrchestraCheck {
  private let text: [UInt8]
  private var position = 0
  private var hasCode = false

  init(_ text: [UInt8]) { self.text = text }

  mutating func run() throws(EngineError) {
    while position < text.count {
      if text[position] == 0 { throw error("a NUL byte; leave it out") }
      if try skipComment() { continue }
      if starts(with: "{{") {
        try skip(to: "}}", else: "a text {{ that is not closed; close it with }}")
      } else if text[position] == UInt8(ascii: "\"") {
        try skipString()
      } else if text[position] == UInt8(ascii: "#") {
        try directive()
      } else {
        if !isBlank(text[position]) { hasCode = true }
        position += 1
        continue
      }
      hasCode = true
    }
    if !hasCode { throw EngineError(.compile, "The orchestra text is empty; write some code.") }
  }

  // Whether there was one.
  private mutating func skipComment() throws(EngineError) -> Bool {
    if text[position] == UInt8(ascii: ";") || starts(with: "//") {
      while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
      return true
    }
    guard starts(with: "/*") else { return false }
    try skip(to: "*/", else: "a comment /* that is not closed; close it with */")
    return true
  }

  private mutating func skip(to end: String, else reason: String) throws(EngineError) {
    let opened = position
    position += 2
    while position < text.count {
      if starts(with: end) {
        position += 2
        return
      }
      position += 1
    }
    position = opened
    throw error(reason)
  }

  private mutating func skipString() throws(EngineError) {
    let opened = position
    position += 1
    while position < text.count, text[position] != UInt8(ascii: "\n") {
      let byte = text[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    position = opened
    throw error("a quote that is not closed on its line; close it")
  }

  // `#define NAME(arguments) #body#`: the body may have any number of lines, and \# in it is no end.
  private mutating func directive() throws(EngineError) {
    let opened = position
    guard starts(with: "#define") else {
      position += 1
      return
    }
    position += 7
    guard try skipToBody() else {
      position = opened
      throw error("a #define without a body; write its text between two #")
    }
    position += 1
    while position < text.count, text[position] != UInt8(ascii: "#") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    if position >= text.count {
      position = opened
      throw error("a #define whose body is not closed; end it with #")
    }
    position += 1
  }

  // From behind `#define` to the # that opens the body; false when another thing comes first.
  private mutating func skipToBody() throws(EngineError) -> Bool {
    var hasName = false
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "#") { return hasName }
      if try skipComment() { continue }
      if byte == UInt8(ascii: "(") {
        while position < text.count, text[position] != UInt8(ascii: ")") { position += 1 }
        if position >= text.count { return false }
      } else if !isBlank(byte) {
        hasName = true
      }
      position += 1
    }
    return false
  }

  private func starts(with word: String) -> Bool {
    text[position...].starts(with: word.utf8)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private func error(_ reason: String) -> EngineError {
    let before = text[..<position]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return EngineError(
      .compile, "Orchestra text, line \(line), column \(position - lineStart + 1): \(reason).")
  }
}
