import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// What the other suites say of Sonde's sound is only as true as the capture and the card's own account.
  @Suite struct SoundCaptureIsReal {
    @Test func aToneOfAnotherProgramIsCapturedWithItsPitchAndLevel() throws {
      let capture = try #require(SoundCapture.ofThisMachine, "run with --audio")
      // 0.5 s of 441 Hz at half of full scale on the left, silence on the right.
      var frames: [UInt8] = []
      for frame in 0..<24_000 {
        let value = Int16((16_384 * sin(2 * Double.pi * 441 * Double(frame) / 48_000)).rounded())
        frames += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), 0, 0]
      }
      let path = "/tmp/lab-tone.raw"
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      try #require(write(file, frames, frames.count) == frames.count)
      close(file)
      let before = capture.playedFrames
      let player = try ChildProcess(
        ["aplay", "-q", "-D", "hw:0", "-f", "S16_LE", "-r", "48000", "-c", "2", "-t", "raw", path])
      #expect(player.waitForEnd(seconds: 30) == .exited(0), "\(player.errors.all)")
      let sound = try #require(
        wait(seconds: 5) {
          capture.read(from: before).flatMap { $0.frameCount > 12_000 ? $0 : nil }
        })
      #expect(sound.sampleRate == 48_000 && sound.channelCount == 2)
      let frequency = try #require(sound.frequency(channel: 0))
      report("the captured tone of 441 Hz has \(frequency.text(decimals: 2)) Hz")
      #expect(abs(frequency - 441) < 1)
      #expect(sound.frequency(channel: 1) == nil)
      let peak = try #require(sound.channel(0).max())
      #expect(abs(peak - 0.5) < 0.01)
    }

    @Test func theDummyCardCountsFramesAtItsRate() throws {
      let card = SoundCardStatus.dummyCard
      #expect(try #require(SoundCardStatus(card: card), "run with --dummy-audio").state == "closed")
      let player = try ChildProcess(
        ["aplay", "-q", "-D", "hw:\(card)", "-f", "S16_LE", "-r", "48000", "-c", "2", "/dev/zero"])
      let first = try #require(
        wait(seconds: 10) {
          SoundCardStatus(card: card).flatMap { $0.hardwarePosition > 0 ? $0 : nil }
        })
      let began = monotonicNow()
      pause(seconds: 1)
      let last = try #require(SoundCardStatus(card: card))
      let seconds = Double(monotonicNow() - began) / 1e9
      #expect(first.state == "RUNNING" && last.state == "RUNNING")
      #expect(last.owner == player.identifier)
      let rate = Double(last.hardwarePosition - first.hardwarePosition) / seconds
      report("snd-dummy counts \(rate.text(decimals: 0)) frames a second")
      // Two looks at a running counter, each late by what emulation makes of it.
      #expect(abs(rate - 48_000) < 4_800)
      player.signal(SIGINT)
      #expect(player.waitForEnd(seconds: 5) != nil)
    }
  }

  @Suite struct ChildProcessIsReal {
    @Test func linesInputSignalsAndEndingsAreToldApart() throws {
      let child = try ChildProcess([
        "sh", "-c", "echo ready; echo wrong >&2; read line; echo got $line; exec sleep 100",
      ])
      #expect(child.output.waitForLine(seconds: 5) { $0 == "ready" } != nil)
      try child.write("hello\n")
      #expect(child.output.waitForLine(seconds: 5) { $0 == "got hello" }?.number == 1)
      #expect(child.errors.lines == ["wrong"])
      #expect(child.poll() == nil)
      child.signal(SIGTERM)
      #expect(child.waitForEnd(seconds: 5) == .killed(signal: SIGTERM))
      #expect(try ChildProcess(["sh", "-c", "exit 3"]).waitForEnd(seconds: 5) == .exited(3))
    }

    /// Permissions can only be tested as someone who has not all of them.
    @Test func nobodyReadsANodeOnlyThroughItsGroup() throws {
      let pad = try VirtualInputDevice(.gamepad())
      let node = try #require(pad.waitForNode().nodes.first)
      func canOpen(_ user: ChildProcess.User) throws -> Bool {
        let child = try ChildProcess(["sh", "-c", ": < \(node.path)"], user: user)
        return child.waitForEnd(seconds: 5) == .exited(0)
      }
      #expect(try canOpen(.nobody(groups: ["input"])))
      #expect(try !canOpen(.nobody(groups: [])))
      chmod(node.path, 0)
      #expect(try !canOpen(.nobody(groups: ["input"])))
      #expect(try canOpen(.same))
      pad.unplug()
      try Arrival.waitUntilGone([node])
    }
  }
}
