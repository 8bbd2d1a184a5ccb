import Bridge
import Events
import Testing

@testable import sonde

/// If these fail, the user is told wrong things about devices.
@Suite struct InputSentencesTests {
  private let pad = DeviceDescription(kind: .gamepad, name: "Pad", uniq: "02:02")

  /// Else a device's name could rewrite the user's terminal.
  @Test func controlCharactersOfANameAreNotPrinted() {
    let pad = DeviceDescription(kind: .gamepad, name: "\u{1B}[2JPad\r", uniq: "02:02")
    #expect(InputSentences.text(.unplugged(0, pad)) == "- \u{FFFD}[2JPad\u{FFFD}")
  }

  @Test func whatComesAndLeavesIsNamed() {
    #expect(
      InputSentences.text(.plugged(0, pad, names: ["lead", "motion"], identity: "uniq 02:02"))
        == "+ Pad (uniq 02:02): lead, motion")
    #expect(
      InputSentences.text(.plugged(0, pad, names: [], identity: "first"))
        == "+ Pad (first): no line of the mapping uses it")
    #expect(InputSentences.text(.unplugged(0, pad)) == "- Pad")
    #expect(InputSentences.text(.unreadable(path: "/dev/x", "Sentence.")) == "Sentence.")
    #expect(InputSentences.text(.readable(path: "/dev/x")) == "/dev/x can be read now.")
  }
}
