import LinuxIO
import Testing

@Suite struct BackgroundProgramTests {
  @Test("A server that was started for a measurement runs until it is asked to end")
  func endsWhenAsked() throws {
    let program = try BackgroundProgram(["sleep", "600"])
    #expect(!program.hasEnded)
    #expect(program.residentMemory > 0)
    #expect(program.end() == .killed(signal: 15))
    #expect(program.hasEnded)
    #expect(program.residentMemory == 0)
    // What has ended is not asked again: its number may be another's by now.
    #expect(program.end() == .killed(signal: 15))
  }

  @Test("One that does not listen is killed, so that nothing stays behind")
  func killsWhatDoesNotEnd() throws {
    let folder = try TemporaryFolder("sonde-test")
    let script = "trap '' TERM; echo ready; while :; do sleep 1; done"
    let program = try BackgroundProgram(["sh", "-c", script], output: folder.path + "/output")
    while (try? readFile(folder.path + "/output").count) != 6 {
      sleepUntil(monotonicNow() + 2_000_000)
    }
    #expect(program.end(within: 20_000_000) == .killed(signal: 9))
  }

  @Test("How a program ended by itself and what it spent is known")
  func tellsTheEnd() throws {
    let folder = try TemporaryFolder("sonde-test")
    let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo \"$WORD\"; exit 3"
    let program = try BackgroundProgram(
      ["sh", "-c", script], environment: [("WORD", "hello")], output: folder.path + "/output")
    while !program.hasEnded { sleepUntil(monotonicNow() + 2_000_000) }
    #expect(program.end() == .exited(status: 3))
    #expect(program.processorTime > 1_000_000)
    let written = try readFile(folder.path + "/output")
    #expect(String(decoding: written, as: UTF8.self) == "hello\n")
  }

  @Test("A program that is not installed is told apart from one that fails")
  func missingProgram() {
    #expect(throws: SystemError.self) { try BackgroundProgram(["sonde-no-such-program"]) }
  }
}
