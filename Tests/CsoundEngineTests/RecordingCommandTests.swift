import CsoundEngine
import LabSupport
import LinuxIO
import Testing

/// If one of these fails, a concert's recording is lost, or ends the concert.
@Suite struct RecordingCommandTests {
  private let folder: TemporaryFolder
  private let instrument: String

  init() throws {
    folder = try TemporaryFolder("sonde-recording")
    instrument = "\(folder.path)/tone.csd"
    try writeFile(
      instrument,
      Array(csd("instr 1\na1 init 0.5\nouts a1, a1\nendin\nschedule 1, 0, -1").utf8))
  }

  private func play(_ words: String..., limit: String = "") throws -> ChildProcess {
    let program = try ChildProcess(
      [
        "bash", "-c", "\(limit)\nexec \"$0\" \"$@\"", SondeCommand.path, "play", instrument,
        "--audio", "none", "--quiet",
      ] + words, environment: ["XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path])
    program.closeInput()
    return program
  }

  @Test func everythingThatIsHeardIsRecorded() throws {
    let path = "\(folder.path)/all.wav"
    let program = try play("--record", path, "--record-format", "24", "--for", "300ms")
    #expect(program.waitForEnd(seconds: 20) == .exited(0), "\(program.errors.all)")
    let file = try SoundFileSummary(path)
    #expect(file.channels == 2 && file.rate == 48000 && file.frames > 9600)
    // The first frame too: 24 bits of 0.5 in both channels, little endian, behind the header.
    let bytes = try readFile(path)
    let data = try #require(bytes.firstRange(of: Array("data".utf8)))
    #expect(Array(bytes[(data.upperBound + 4)...].prefix(6)) == [0, 0, 0x40, 0, 0, 0x40])
  }

  /// What was played before the power went is there.
  @Test func aProgramThatIsKilledLeavesAFile() throws {
    let path = "\(folder.path)/killed.wav"
    let program = try play("--record", path)
    let isWritten: Bool? = wait(seconds: 20) {
      ((try? SoundFileSummary(path))?.frames ?? 0) > 24_000 ? true : nil
    }
    #expect(isWritten == true, "\(program.errors.all)")
    program.signal(9)
    _ = program.waitForEnd(seconds: 5)
    let file = try SoundFileSummary(path)
    #expect(file.frames > 24_000 && abs(file.peak - 0.5) < 1e-4)
  }

  @Test func aFullDiskIsToldAndTheMusicGoesOn() throws {
    let path = "\(folder.path)/full.wav"
    let program = try play("--record", path, "--for", "3s", limit: "ulimit -f 100")
    #expect(program.waitForEnd(seconds: 20) == .exited(1))
    let said = program.errors.lines.filter { $0.contains("the recording has stopped") }
    #expect(said.count == 1 && said.first?.contains("\(path): ") == true, "\(program.errors.all)")
    #expect(program.errors.all.contains("The recording is not whole: \(path)"))
    #expect(try SoundFileSummary(path).frames > 10_000)
  }

  @Test func wrongFilesAreNamedBeforeTheMusic() throws {
    for (path, word) in [
      ("/nonexistent/a.wav", "No such file"),
      ("\(folder.path)/a.mp3", ".wav, .flac, .ogg or .aiff"),
      (folder.path, "a folder"),
    ] {
      let program = try play("--record", path, "--for", "1s")
      #expect(program.waitForEnd(seconds: 20) == .exited(1))
      #expect(program.errors.all.contains(path) && program.errors.all.contains(word))
    }
    let program = try play("--record-format", "24")
    #expect(program.waitForEnd(seconds: 20) == .exited(2))
  }
}
