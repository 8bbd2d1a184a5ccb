import CsoundEngine
import LinuxIO
import Testing

/// If these fail, a user is told wrong things about what was rendered.
@Suite struct SoundFileSummaryTests {
  /// A WAV by the RIFF specification: 16 bits, two channels, four frames, the largest sample −16384.
  private var wave: [UInt8] {
    func little(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let samples = [0, 100, -16384, 5, 8000, -1, 0, 0].flatMap { little($0, 2) }
    return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8)
      + little(16, 4) + little(1, 2) + little(2, 2) + little(8000, 4) + little(32000, 4)
      + little(4, 2) + little(16, 2) + Array("data".utf8) + little(samples.count, 4) + samples
  }

  @Test func tellsLengthAndPeak() throws {
    let path = "/tmp/sonde-summary-\(monotonicNow()).wav"
    try writeFile(path, wave)
    defer { try? removeFile(path) }
    let summary = try SoundFileSummary(path)
    #expect(summary.rate == 8000 && summary.channels == 2 && summary.frames == 4)
    #expect(summary.peak == 0.5)
    #expect(summary.duration == 0.0005)
  }

  @Test func whatIsNoSoundFileIsNamed() throws {
    let path = "/tmp/sonde-summary-\(monotonicNow()).txt"
    try writeFile(path, Array("no sound".utf8))
    defer { try? removeFile(path) }
    let error = #expect(throws: EngineError.self) { try SoundFileSummary(path) }
    #expect(error?.message.hasPrefix(path) == true)
    #expect(throws: EngineError.self) { try SoundFileSummary("/tmp/sonde-not-there.wav") }
  }
}
