import Glibc
import LinuxIO
import Testing

/// Who loses this stops Sonde with Ctrl-C and leaves notes held and takes cut.
///
/// Each in a process of its own: masks and dispositions would pass to what other suites start.
@Suite struct SignalSourceTests {
  @Test func signalsAreReadInsteadOfKilling() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let source = try SignalSource([.hangUp])
      try #require(source.next() == nil)
      try #require(pthread_kill(pthread_self(), SIGHUP) == 0)
      try #require(source.next() == .hangUp)
      try #require(source.next() == nil)
      exit(7)
    }
  }

  @Test func aReaderThatLeftIsNotTheEnd() async {
    await #expect(processExitsWith: .exitCode(7)) {
      ignoreWriteSignals()
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      try #require(write(ends[1], "x", 1) == -1)
      try #require(errno == EPIPE)
      exit(7)
    }
  }
}
