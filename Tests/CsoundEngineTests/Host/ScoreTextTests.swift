import Testing

@testable import CsoundEngine

/// If one of these fails, score text ends the program, or music that is right is refused.
@Suite struct ScoreTextTests {
  private func lines(_ text: String) throws(EngineError) -> [String] {
    try ScoreText(text).lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func eventsPassAsTheyAre() throws {
    #expect(try lines("i1 0 1") == ["i1 0 1\n"])
    #expect(try lines("  i 1.060  0\t-2 60 .5 ") == ["i1.060 0 -2 60 .5\n"])
    #expect(
      try lines("i \"allNotesOff\" 0 1\ni-1.5 0 0") == ["i \"allNotesOff\" 0 1\n", "i-1.5 0 0\n"])
    #expect(try lines("f1 0 1024 10 1 1e-3 +2.") == ["f1 0 1024 10 1 1e-3 +2.\n"])
    #expect(try lines("e\ne 5") == ["e\n", "e5\n"])
    #expect(try lines("q 1 0 0") == ["q1 0 0\n"])
    #expect(try lines("a 0 0 2") == ["a0 0 2\n"])
  }

  @Test func textsArriveWhole() throws {
    let text = #"i1 0 1 "semi;colon // /* no comment */ \"quoted\" ünï [1] {x}""#
    #expect(try lines(text) == [text + "\n"])
  }

  @Test func commentsAndBlankLinesAreLeftOut() throws {
    #expect(
      try lines("; first\n\ni1 0 1 ; second\n// third\n/* fourth\n fifth */ i2 0 1/*x*/2") == [
        "i1 0 1\n", "i2 0 1 2\n",
      ])
    #expect(try lines("").isEmpty)
    #expect(try lines("\r\ni1 0 1\r\n") == ["i1 0 1\n"])
  }

  /// Each of the first seven ends libcsound64 6.18, or writes beyond its memory.
  @Test(arguments: [
    ("i1 0 1 \"open", "line 1, column 8: a quote that is not closed"),
    ("{ 3 x", "line 1, column 1: an event starts with"),
    ("i1 0 1\n}", "line 2, column 1: an event starts with"),
    ("i1 0 /* 1", "line 1, column 6: a comment /* that is not closed"),
    ("i1 0 1 a\0b", "NUL"),
    ("i99999999999999999999 0 1", "too large"),
    ("i1 0 " + String(repeating: "1 ", count: 2000), "more than 1998 fields"),
    ("i1 0 \"" + String(repeating: "x", count: 1001) + "\"", "more than 1000 bytes"),
    ("i1 0 \"x\"", "field 3 of i must be a number"),
    (
      "i1 0 1 " + String(repeating: "\"" + String(repeating: "x", count: 900) + "\"", count: 20),
      "more than 16000 bytes"
    ),
    ("i1 -1 1", "field 2 is below 0"),
    ("i1 0 z", "write -1 for a note without end"),
    ("i1 0 1 $M", "is no number"),
    ("i1 0 1 [2+3]", "is no number"),
    ("i1 0 nan", "is no number"),
    ("i1 0 1e999", "is no number"),
    ("i1", "needs 2 fields"),
    ("i1 \"x\" 1", "field 2 of i must be a number"),
    ("f \"x\" 0 16 10 1", "field 1 of f must be a number"),
    ("t 0 60", "a whole score belongs into the CSD"),
    ("i1 0 1\n  i1 0 1/2", "line 2, column 9: \"/2\" is no number"),
  ])
  func whatCsoundCannotTakeIsRefusedWithItsPlace(text: String, reason: String) {
    let error = #expect(throws: EngineError.self) { try ScoreText(text) }
    #expect(error?.kind == .score)
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
  }
}
