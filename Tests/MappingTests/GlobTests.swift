import Mapping
import Testing

/// If these fail, `name="X-TOUCH MINI*"` names another device, or none.
@Suite struct GlobTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a", "a", true), ("a", "A", false), ("a", "ab", false),
    ("*", "", true), ("*", "anything at all", true), ("?", "", false), ("?", "é", true),
    ("??", "é", false), ("X-TOUCH MINI*", "X-TOUCH MINI MIDI 1", true),
    ("X-TOUCH MINI*", "my X-TOUCH MINI", false), ("*Wireless*", "DualSense Wireless Pad", true),
    ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("*ab", "aab", true),
    ("*ab", "aba", false), ("a**b", "ab", true), ("*?*", "", false), ("usb-1.?", "usb-1.2", true),
    ("usb-1.?", "usb-1.12", false), ("[ab]", "a", false), ("[ab]", "[ab]", true),
  ])
  func patterns(pattern: String, text: String, expected: Bool) {
    #expect(Glob(pattern).matches(text) == expected)
  }

  @Test func manyStarsDoNotTakeForEver() {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2000)))
  }
}
