import Events
import Testing

@testable import Mapping

/// If these fail, one line stands for other lines than it says.
@Suite struct BraceRepetitionTests {
  private func expand(_ text: String) throws -> [String] {
    let line = LogicalLine.lines(of: SourceText(name: "a", bytes: Array(text.utf8)), file: 0)[0]
    return try BraceRepetition.expand(line).map(\.text)
  }

  @Test func countsAndLists() throws {
    #expect(try expand("a{1..3}") == ["a1", "a2", "a3"])
    #expect(try expand("a{3..1}b") == ["a3b", "a2b", "a1b"])
    #expect(try expand("a{-1..1}") == ["a-1", "a0", "a1"])
    #expect(try expand("{x, y}{1..2}") == ["x1", "y2"])
    #expect(try expand("a{7..7}") == ["a7"])
    #expect(try expand("plain") == ["plain"])
  }

  @Test func quotesAreRepeatedToo() throws {
    #expect(try expand("\"Pad {1..2}\" {a,b}") == ["\"Pad 1\" a", "\"Pad 2\" b"])
  }

  @Test func otherBracesInQuotesAreLeftAlone() throws {
    #expect(
      try expand("k.cc{1..2} -> event \"i 2 0 1 {value} {pad.left.x}\"") == [
        "k.cc1 -> event \"i 2 0 1 {value} {pad.left.x}\"",
        "k.cc2 -> event \"i 2 0 1 {value} {pad.left.x}\"",
      ])
    #expect(try expand("\"bend.{voice}\"") == ["\"bend.{voice}\""])
    #expect(try expand("\"open { only\"") == ["\"open { only\""])
  }

  @Test func unequalBracesShowBothPlaces() {
    #expect(
      check("gamepad.touch{0..3}.x -> vol{1..3}").rendered == """
        test.map:1:29: error: These braces stand for 3 lines, the first ones of the line for 4. [unequal-braces]
        gamepad.touch{0..3}.x -> vol{1..3}
                                    ^~~~~~
        hint: give all braces of a line the same number of items
        test.map:1:14: note: The first braces of the line.
        gamepad.touch{0..3}.x -> vol{1..3}
                     ^~~~~~
        """)
  }

  @Test(arguments: [
    ("a{", 2), ("a}", 2), ("a{}", 2), ("a{x}", 2), ("a{1..}", 2), ("a{1,,2}", 2), ("a{{1,2},3}", 2),
    ("a{0..99999}", 2), ("a{0..99999999999999999999}", 2), ("a{1.5..2}", 2),
  ]) func bracesThatRepeatNothingAreReported(text: String, column: Int) {
    #expect(check(text).places == ["1:\(column) bad-braces"])
  }

  @Test func aRepeatedLineIsAsManyLines() throws {
    let description = try #require(
      check("widget slider vol{1..2}\ngamepad.touch{0,1}.x -> vol{1..2}").description)
    let routes = description.routes.filter { !$0.isImplicit }
    #expect(routes.map(\.control) == [.touchX(0), .touchX(1)])
    #expect(routes.map(\.targets) == [[.widget(0)], [.widget(1)]])
  }
}
