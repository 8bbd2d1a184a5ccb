import Testing

@testable import Mapping

/// If these fail, a slip of the finger is answered with nothing, or with nonsense.
@Suite struct SuggestionTests {
  /// Distances worked out by hand.
  @Test(arguments: [
    ("", "abc", 3), ("abc", "abc", 0), ("smoth", "smooth", 1), ("smotoh", "smooth", 1),
    ("ca", "abc", 3), ("kitten", "sitting", 3), ("deadzoen", "deadzone", 1),
  ]) func distances(a: String, b: String, distance: Int) {
    #expect(Suggestion.distance(Array(a.unicodeScalars), Array(b.unicodeScalars)) == distance)
    #expect(Suggestion.distance(Array(b.unicodeScalars), Array(a.unicodeScalars)) == distance)
  }

  @Test func theNearestIsFoundWhateverItsCase() {
    #expect(Suggestion.nearest(to: "CUTOFF", in: ["cutoff", "cut"]) == "cutoff")
    #expect(Suggestion.nearest(to: "resonace", in: ["cutoff", "resonance"]) == "resonance")
    #expect(Suggestion.nearest(to: "zebra", in: ["cutoff", "resonance"]) == nil)
    #expect(Suggestion.nearest(to: "x", in: ["y"]) == nil)
  }
}
