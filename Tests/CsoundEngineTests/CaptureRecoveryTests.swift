import Audio
import Events
import Glibc
import LinuxIO
import Synchronization
import Testing

@testable import CsoundEngine

/// If one of these fails, a microphone whose sound server has stopped stops the music too.
@Suite struct CaptureRecoveryTests {
  /// The microphone's sound comes from a pipe: to open it takes until somebody writes there.
  @Test(.timeLimit(.minutes(2))) func aMicrophoneThatDoesNotAnswerHoldsNothingUp() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder("sonde-test")
      let pipe = folder.path + "/pipe"
      let isMade = mkfifo(pipe, 0o600) == 0
      #expect(isMade)
      let text = """
        pcm.null { type null }
        pcm.hang { type file slave.pcm null file /dev/null infile "\(pipe)" format raw }
        """
      try writeFile(folder.path + "/asound.conf", Array(text.utf8))
      setenv("ALSA_CONFIG_PATH", folder.path + "/asound.conf", 1)

      let live = LiveRun(EngineConfiguration(.file("a.csd")), SPSCRing(capacity: 16))
      live.facts.withLock {
        $0.captureName = "hang"
        $0.captureFormat = AudioFormat(
          rate: 48000, channels: 2, deviceChannels: 2, period: 256, periods: 2, inputChannels: 1)
        $0.isCaptureMissing = true
      }
      var recovery = CaptureRecovery()
      for _ in 0..<10 {
        recovery.reopen(live)
        sleepUntil(monotonicNow() + 10_000_000)
      }
      #expect(live.facts.withLock { $0.capture == nil })
      // What it waits for comes, and it is offered to PERFORM.
      let writer = open(pipe, O_RDWR)
      #expect(writer >= 0)
      while live.facts.withLock({ $0.capture == nil }) {
        recovery.reopen(live)
        sleepUntil(monotonicNow() + 10_000_000)
      }
      let isOffered = live.controls.pointee.takeCaptureOffer() != nil
      #expect(isOffered)
      recovery.end()
      live.facts.withLock { $0.capture?.close() }
      close(writer)
    }
  }
}
