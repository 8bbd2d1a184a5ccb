import Testing

@testable import CsoundEngine

/// If one of these fails, a cable's bytes become wrong notes, or end the program.
@Suite struct MIDIAssemblerTests {
  private func messages(_ bytes: [UInt8]) -> [[UInt8]] {
    var assembler = MIDIAssembler()
    return bytes.compactMap { assembler.take($0) }.map {
      Array([$0.status, $0.first, $0.second].prefix($0.length))
    }
  }

  @Test func wholeMessagesPass() {
    #expect(messages([0x90, 60, 100, 0x80, 60, 0]) == [[0x90, 60, 100], [0x80, 60, 0]])
    #expect(
      messages([0xC3, 5, 0xD3, 64, 0xE3, 0, 64]) == [[0xC3, 5], [0xD3, 64], [0xE3, 0, 64]])
  }

  @Test func runningStatusIsResolved() {
    #expect(
      messages([0x90, 60, 100, 62, 100, 60, 0]) == [
        [0x90, 60, 100], [0x90, 62, 100], [0x90, 60, 0],
      ])
    #expect(messages([0xC0, 1, 2, 3]) == [[0xC0, 1], [0xC0, 2], [0xC0, 3]])
  }

  /// A clock byte behind a status byte ends libcsound64 6.18.
  @Test func realTimeBytesMayComeAnywhere() {
    #expect(messages([0x90, 0xF8, 60, 0xFE, 100, 0xFF]) == [[0x90, 60, 100]])
  }

  @Test func systemMessagesAndBrokenOnesAreDropped() {
    #expect(messages([0xF0, 1, 2, 3, 0xF7, 60, 100, 0x90, 60, 100]) == [[0x90, 60, 100]])
    #expect(messages([60, 100, 0x90, 60, 0xB0, 7, 100]) == [[0xB0, 7, 100]])
    #expect(messages([0x90, 60, 100, 0xF3, 1, 62, 100]) == [[0x90, 60, 100]])
  }

  @Test func whateverComesOnlyWholeMessagesLeave() {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for message in messages(bytes) {
      #expect((0x80...0xEF).contains(message[0]))
      #expect(message.dropFirst().allSatisfy { $0 < 0x80 })
      #expect(message.count == (message[0] & 0xE0 == 0xC0 ? 2 : 3))
    }
  }
}
