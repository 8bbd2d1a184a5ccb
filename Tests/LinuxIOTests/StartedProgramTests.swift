import Glibc
import LinuxIO
import Testing

/// Who loses this starts servers that cannot be ended, or that write where nobody looks.
@Suite struct StartedProgramTests {
  private func end(of child: Int32) -> ProgramRun.Ending {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return ProgramRun.Ending(waitStatus: status)
  }

  @Test(
    "Output and errors go where they are led, and a variable takes the place of an inherited one")
  func leadsStreams() throws {
    let folder = try TemporaryFolder("sonde-test")
    let (words, errors) = (folder.path + "/words", folder.path + "/errors")
    let script = "cat; echo \"$HOME $WORD\"; echo wrong >&2; env | grep -c ^HOME="
    let child = try startProgram(
      ["sh", "-c", script], environment: [("HOME", "/nowhere"), ("WORD", "a=b")],
      output: .file(words), errors: .file(errors))
    #expect(end(of: child) == .exited(status: 0))
    let (written, complaints) = (try readFile(words), try readFile(errors))
    #expect(String(decoding: written, as: UTF8.self) == "/nowhere a=b\n1\n")
    #expect(String(decoding: complaints, as: UTF8.self) == "wrong\n")
  }

  @Test("Errors go where the output goes unless they have a place of their own")
  func errorsFollowOutput() throws {
    let folder = try TemporaryFolder("sonde-test")
    let words = folder.path + "/words"
    let child = try startProgram(["sh", "-c", "echo one; echo two >&2"], output: .file(words))
    #expect(end(of: child) == .exited(status: 0))
    let written = try readFile(words)
    #expect(String(decoding: written, as: UTF8.self) == "one\ntwo\n")
  }

  @Test("A program hears the signals that the thread that starts it has blocked")
  func signalsAreHeard() throws {
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let started = Result { try startProgram(["sleep", "600"]) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    let child = try started.get()
    kill(child, SIGTERM)
    #expect(end(of: child) == .killed(signal: SIGTERM))
  }
}
