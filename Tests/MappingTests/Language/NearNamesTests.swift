import Testing

@testable import Mapping

/// If these fail, a misspelt widget is silently a channel, or good channels are nagged about.
@Suite struct NearNamesTests {
  private let names = NearNames(["cutoff", "resonance", "vol1", "abc", "filter2"])

  @Test(arguments: [
    ("cutof", 0), ("cuttoff", 0), ("cutofx", 0), ("cutfof", 0), ("CUTOFF", 0), ("resonanse", 1),
    ("flter2", 4), ("Filter2", 4),
  ]) func oneSlipIsFound(name: String, index: Int) { #expect(names.index(near: name) == index) }

  @Test(arguments: ["cutoff", "cuto", "vol2", "vo1", "abd", "ABC", "filter3", "pan", "", "1234"])
  func othersAreNot(name: String) { #expect(names.index(near: name) == nil) }
}
