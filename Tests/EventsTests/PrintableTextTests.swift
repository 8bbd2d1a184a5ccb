import Events
import Testing

/// If this fails, a hostile file or device name can rewrite the user's terminal.
@Suite struct PrintableTextTests {
  @Test func controlCharactersAreReplacedAndLettersStay() {
    #expect("Pad é 日本\n\tx".printable == "Pad é 日本\n\tx")
    #expect(
      "\u{1B}[31m\u{9B}2J\u{7}\0\r".printable == "\u{FFFD}[31m\u{FFFD}2J\u{FFFD}\u{FFFD}\u{FFFD}")
  }
}
