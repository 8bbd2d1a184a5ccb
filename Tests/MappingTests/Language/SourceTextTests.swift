import Testing

@testable import Mapping

/// If these fail, mistakes are shown at other places than where they are.
@Suite struct SourceTextTests {
  private func lines(_ text: String) -> [String] {
    LogicalLine.lines(of: SourceText(name: "a", bytes: Array(text.utf8)), file: 0).map(\.text)
  }

  @Test func linesEndInEveryWay() {
    #expect(lines("a\nb\r\nc\rd") == ["a", "b", "c", "d"])
    #expect(lines("a\n\nb\n") == ["a", "", "b", ""])
    #expect(lines("") == [""])
  }

  @Test func aBackslashAtTheVeryEndJoins() {
    #expect(lines("a \\\nb") == ["a b"])
    #expect(lines("a \\\r\nb\\\rc") == ["a bc"])
    #expect(lines("a \\ \nb") == ["a \\ ", "b"])
    #expect(lines("a\\") == ["a"])
  }

  @Test func positionsCountCharacters() {
    let text = SourceText(name: "a", bytes: Array("\u{FEFF}äb\r\ne\u{301}x\n".utf8))
    #expect(text.position(of: 3) == (1, 1))
    #expect(text.position(of: 5) == (1, 2))
    #expect(text.position(of: 6) == (1, 3))
    #expect(text.position(of: 8) == (2, 1))
    #expect(text.position(of: 11) == (2, 2))
    #expect(text.lineText(1) == "e\u{301}x")
  }

  @Test func whatIsNoTextIsSaidAtItsPlace() {
    #expect(SourceText(name: "a", bytes: Array("ab\n".utf8)).defect == nil)
    #expect(
      SourceText(name: "a", bytes: [0x61, 0x0A, 0xC3, 0x28]).defect == .invalidUTF8(offset: 2))
    #expect(SourceText(name: "a", bytes: [0x61, 0xC3]).defect == .invalidUTF8(offset: 1))
    #expect(SourceText(name: "a", bytes: [0x7F, 0x45, 0x00]).defect == .binary(offset: 2))
    #expect(SourceText(name: "a", bytes: [0xFF, 0xFE, 0x61, 0x00]).defect == .utf16)
  }

  @Test func aBinaryFileIsOneMistakeAndNotAThousand() {
    let compilation = MappingCompiler.check(
      [MappingFile(path: "x.map", bytes: Array("a\nb".utf8) + [0] + Array(0...255))]
    ) { _, _ in .failure(.init(reason: "no")) }
    #expect(
      compilation.rendered == """
        x.map:2:2: error: The file holds a zero byte: it is not a mapping but a binary file. [not-text]
        b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\t
         ^
        hint: name a text file
        """)
  }

  @Test func latin1IsNamed() {
    let compilation = MappingCompiler.check(
      [MappingFile(path: "x.map", bytes: Array("# caf".utf8) + [0xE9, 0x0A])]
    ) { _, _ in .failure(.init(reason: "no")) }
    #expect(compilation.places == ["1:6 not-text"])
    #expect(compilation.description == nil)
  }
}
