import Testing

@testable import Mapping

/// Golden texts, written by hand. If these fail, an editor or a person is sent to the wrong place.
@Suite struct DiagnosticRenderingTests {
  @Test func nameLineColumnSentenceCaretAndHint() {
    #expect(
      check("gamepad.left.x | smoth 20ms -> cutoff\n").rendered == """
        test.map:1:18: error: There is no stage `smoth`. [unknown-stage]
        gamepad.left.x | smoth 20ms -> cutoff
                         ^~~~~
        hint: did you mean `smooth`?
        """)
  }

  @Test func bothPlacesOfADoubleNameAreShown() {
    #expect(
      check("device pad gamepad\n\nwidget slider pad\n").rendered == """
        test.map:3:15: error: The name `pad` is declared twice. [duplicate-name]
        widget slider pad
                      ^~~
        hint: choose another name for one of them
        test.map:1:8: note: First declared here.
        device pad gamepad
               ^~~
        """)
  }

  @Test func degreesAreOfferedForAnAngle() {
    #expect(
      check("motion.attitude.roll | from -180..180 -> pan\n").rendered == """
        test.map:1:29: error: Angles are in radians, and -180 is more than a whole turn. [angle-bounds]
        motion.attitude.roll | from -180..180 -> pan
                                    ^~~~~~~~~
        hint: write -180deg..180deg
        """)
  }

  /// Else one mistake in a file without line ends fills the terminal.
  @Test func ofALongLineThePlaceIsShown() {
    let (first, last) = (String(repeating: "x", count: 600), String(repeating: "y", count: 600))
    let lines = check("gamepad.left.x -> \(first), all, \(last)").rendered.split(separator: "\n")
    #expect(lines[0].hasPrefix("test.map:1:621: error: `all`"))
    #expect(lines[1].count == 400)
    #expect(lines[1].dropFirst(200).hasPrefix("all, yyy"))
    #expect(lines[2] == String(repeating: " ", count: 200) + "^~~")
  }

  @Test func tabsKeepTheCaretUnderItsWord() {
    #expect(
      check("gamepad.left.x\t|\tsmoth 1s -> a").rendered == """
        test.map:1:18: error: There is no stage `smoth`. [unknown-stage]
        gamepad.left.x\t|\tsmoth 1s -> a
                      \t \t^~~~~
        hint: did you mean `smooth`?
        """)
  }

  /// A CJK letter is one character, and two columns wide on a terminal.
  @Test func wideLettersCountOnceAndMoveTheCaretTwice() {
    #expect(
      check("gamepad.left.x -> \"音\", \"e\u{301}\", all").rendered == """
        test.map:1:29: error: `all` is a word of the language and no target. [reserved-name]
        gamepad.left.x -> "音", "e\u{301}", all
                                     ^~~
        hint: a channel of this name is written: channel all
        """)
  }

  @Test func aMarkAndCarriageReturnsAreNoCharacters() {
    #expect(
      check("\u{FEFF}smoth 1\r\n\r\nwidget slder x\r\n").rendered == """
        test.map:1:1: error: No statement begins with `smoth`. [unknown-statement]
        smoth 1
        ^~~~~
        hint: a route is written: source -> target
        test.map:3:8: error: There is no kind of widget `slder`. [unknown-widget-kind]
        widget slder x
               ^~~~~
        hint: did you mean `slider`?
        """)
  }

  @Test func theEndOfALineIsAPlaceToo() {
    #expect(
      check("gamepad.left.x | deadzone 0.1").rendered == """
        test.map:1:30: error: This line has no target. [missing-target]
        gamepad.left.x | deadzone 0.1
                                     ^
        hint: end it with -> and a channel, a widget or a note
        """)
  }

  @Test func aMistakeBehindAJoinIsShownOnItsOwnLine() {
    #expect(
      check("gamepad.left.x \\\n  | smoth 20ms \\\n  -> cutoff").rendered == """
        test.map:2:5: error: There is no stage `smoth`. [unknown-stage]
          | smoth 20ms \\
            ^~~~~
        hint: did you mean `smooth`?
        """)
  }

  @Test func aRepeatedLineHasItsMistakeOnce() {
    #expect(
      check("gamepad.touch{0..9}.z -> vol{0..9}").rendered == """
        test.map:1:1: error: A gamepad has no control `touch0.z`. [unknown-control]
        gamepad.touch{0..9}.z -> vol{0..9}
        ^~~~~~~~~~~~~~~~~~~~~
        hint: did you mean `touch0.x`?
        """)
  }

  @Test func coloursFrameTheSameText() {
    let diagnostic = check("nonsense").diagnostics[0]
    #expect(diagnostic.rendered(colour: true).contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(!diagnostic.rendered().contains("\u{1B}"))
  }

  @Test func controlCharactersOfABrokenFileDoNotReachTheTerminal() {
    #expect(!check("gamepad.left.x \u{1B}[2J -> a").rendered.contains("\u{1B}"))
  }

  @Test func everyKindOfMistakeIsExplained() {
    for id in DiagnosticID.allCases { #expect(id.explanation.hasSuffix("."), "\(id)") }
    #expect(Set(DiagnosticID.allCases.map(\.explanation)).count == DiagnosticID.allCases.count)
  }
}
