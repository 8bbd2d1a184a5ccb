import Testing

@testable import Audio

/// If one of these fails, `-odacN` means other ports than the list of Csound's devices says.
@Suite struct JACKPortsTests {
  @Test func groupsAreCountedByTheirNamesWithoutTheNumber() {
    let all = [
      "system:playback_1", "system:playback_2", "synth:in_1", "synth:side", "system:playback_10",
    ]
    #expect(
      JACKPorts.group(0).group(of: all)
        == ["system:playback_1", "system:playback_2", "system:playback_10"])
    #expect(JACKPorts.group(1).group(of: all) == ["synth:in_1"])
    #expect(JACKPorts.group(2).group(of: all) == ["synth:side"])
    #expect(JACKPorts.group(3).group(of: all) == [])
  }
}
