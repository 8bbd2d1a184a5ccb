import LinuxIO
import Testing

/// Who loses this compares Sonde with a program that never ran, or waits for it for ever.
@Suite struct ProgramRunTests {
  @Test func saysHowTheProgramEnded() throws {
    #expect(try runProgram(["true"]).ending == .exited(status: 0))
    #expect(try runProgram(["sh", "-c", "exit 3"]).ending == .exited(status: 3))
    // 9 is SIGKILL.
    #expect(try runProgram(["sh", "-c", "kill -9 $$"]).ending == .killed(signal: 9))
  }

  @Test func aProgramThatIsNotThereIsAnError() {
    let error = #expect(throws: SystemError.self) { _ = try runProgram(["no-such-program-here"]) }
    #expect(error?.number == .notFound)
    #expect(error?.path == "no-such-program-here")
  }

  @Test func countsTheTimeOnTheProcessorAndTheTimeOfWaiting() throws {
    let busy = try runProgram(["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"])
    #expect(busy.processorTime > 0)
    let asleep = try runProgram(["sleep", "0.2"])
    #expect(asleep.wallTime >= 200_000_000)
    #expect(asleep.processorTime < asleep.wallTime)
  }

  @Test func hasNothingToReadAndNowhereToWrite() throws {
    // cat would wait for ever on a terminal's or a pipe's open end.
    #expect(try runProgram(["cat"]).ending == .exited(status: 0))
    let script = """
      for n in 0 1 2; do [ "$(readlink /proc/$$/fd/$n)" = /dev/null ] || exit 1; done
      """
    #expect(try runProgram(["sh", "-c", script]).ending == .exited(status: 0))
  }
}
