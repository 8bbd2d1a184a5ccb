import Testing

@testable import Mapping

/// If these fail, a line is cut at other places than a person reads it.
@Suite struct LexerTests {
  private func tokens(_ text: String) -> [Token] {
    let source = SourceText(name: "test.map", bytes: Array(text.utf8))
    return LogicalLine.lines(of: source, file: 0).flatMap(Lexer.tokens).filter { $0.kind != .end }
  }

  private func texts(_ text: String) -> [String] { tokens(text).map(\.text) }

  @Test func aRouteFallsIntoItsParts() {
    #expect(
      texts("[!grip]pad.left.y|deadzone 0.08->pan,x<->y") == [
        "[", "!", "grip", "]", "pad.left.y", "|", "deadzone", "0.08", "->", "pan", ",", "x", "<->",
        "y",
      ])
  }

  @Test func rangesNeedNoBlanks() {
    #expect(tokens("0..1").map(\.kind) == [.number(0, unit: ""), .rangeDots, .number(1, unit: "")])
    #expect(tokens("0 .. 1").map(\.kind) == tokens("0..1").map(\.kind))
    #expect(
      tokens("-45deg..1e3deg").map(\.kind) == [
        .number(-45, unit: "deg"), .rangeDots, .number(1000, unit: "deg"),
      ])
    #expect(texts("C1..B3") == ["C1", "..", "B3"])
    #expect(texts("Bb-1..F#3->x") == ["Bb-1", "..", "F#3", "->", "x"])
  }

  @Test(arguments: [
    ("1", 1.0, ""), ("-1.57", -1.57, ""), ("1e3", 1000, ""), ("1E-3", 0.001, ""),
    ("2.5e+2", 250, ""),
    ("20ms", 20, "ms"), ("0.5s", 0.5, "s"), ("440Hz", 440, "Hz"), ("-6dB", -6, "dB"),
    ("1.5g", 1.5, "g"), ("90deg", 90, "deg"), ("00", 0, ""),
  ]) func numbersAreRead(text: String, value: Double, unit: String) {
    #expect(NumberText.read(text) == .number(value, unit: unit))
  }

  @Test(arguments: [".5", "-.5", "5.", "1.e3", "+1", "1e999"])
  func numbersWrittenOtherwiseAreNamed(text: String) {
    guard case .malformed = NumberText.read(text) else {
      Issue.record("\(text) was taken for \(NumberText.read(text))")
      return
    }
  }

  @Test(arguments: ["nan", "inf", "-inf", "infinity", "x1", "-", "e3", ""])
  func namesAreNoNumbers(text: String) { #expect(NumberText.read(text) == .word) }

  @Test(arguments: [
    ("C4", 60), ("A4", 69), ("F#3", 54), ("Bb-1", 10), ("C-1", 0), ("Cb4", 59), ("B#3", 60),
    ("G9", 127),
  ]) func keysHaveTheirNumbers(name: String, number: Int) {
    #expect(KeyName.number(of: name) == number)
  }

  @Test(arguments: ["H4", "c4", "C", "C#", "C##4", "C4.5", "Bass1", "", "C123", "C--1"])
  func otherWordsAreNoKeys(name: String) { #expect(KeyName.number(of: name) == nil) }

  @Test func commentsBeginAtABlankAndOutsideQuotes() {
    #expect(texts("# all of it") == [])
    #expect(texts("a # b") == ["a"])
    #expect(texts("a\t# b") == ["a"])
    #expect(texts("note F#3") == ["note", "F#3"])
    #expect(texts("x \"a # b\" c # d") == ["x", "a # b", "c"])
    #expect(texts("x \"a\\\" # b\" c") == ["x", "a\" # b", "c"])
  }

  @Test func escapesInQuotesAreResolved() {
    #expect(texts(#""a\"b\\c""#) == [#"a"b\c"#])
    #expect(tokens(#""a\\""#).map(\.text) == [#"a\"#])
  }

  @Test func attributesRunToTheNextBlank() {
    #expect(
      texts("device k midi name=X-TOUCH,MINI|* vendor=054c path=a=b") == [
        "device", "k", "midi", "name", "=", "X-TOUCH,MINI|*", "vendor", "=", "054c", "path", "=",
        "a=b",
      ])
    #expect(
      texts("x -> note Blip key=C4, y") == ["x", "->", "note", "Blip", "key", "=", "C4", ",", "y"])
  }

  @Test func spansAreBytesOfTheFile() {
    let tokens = tokens("\u{FEFF}é \\\r\n\tb")
    #expect(tokens.map(\.text) == ["é", "b"])
    #expect(
      tokens.map(\.span) == [Span(file: 0, start: 3, end: 5), Span(file: 0, start: 10, end: 11)])
  }
}
