import Audio
import CsoundEngine
import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// If one of these fails, a sound card that leaves under an instrument takes the music with it, or eats a processor.
  @Suite struct SoundCardLoss {
    /// The driver lets go of the card and takes it again, as when a USB interface is unplugged.
    @Test func aCardLeavesAndReturnsUnderAHeldNote() throws {
      let capture = try #require(SoundCapture.ofThisMachine, "run with --audio")
      let driver = "/sys/bus/pci/drivers/snd_intel8x0"
      let address = try #require(
        TextFiles.names(in: driver).first { $0.contains(":") }, "no AC97 is bound")
      let note = try HeldNote(device: "hw:0")
      let rounds = Repetition.count(of: 100)
      for round in 1...rounds {
        // Returns when everybody has let go of the card.
        let leaving = try ChildProcess(["sh", "-c", "echo \(address) > \(driver)/unbind"])
        #expect(leaving.waitForEnd(seconds: 30) == .exited(0), "\(leaving.errors.all)")
        try note.waitFor(losses: round, returns: round - 1)
        try note.play(2, .away)
        // The driver mutes a new card, and systems restore its mixer.
        let returning = try ChildProcess([
          "sh", "-c",
          "echo \(address) > \(driver)/bind && amixer -q -c 0 sset Master 100% unmute && amixer -q -c 0 sset PCM 100% unmute",
        ])
        #expect(returning.waitForEnd(seconds: 30) == .exited(0), "\(returning.errors.all)")
        try note.waitFor(losses: round, returns: round)
        try note.play(1, .playing)
        // Again where a busy machine has interrupted it just then.
        let heard = wait(seconds: 60) { capture.pitch() }
        let pitch = try #require(
          heard,
          """
          nothing is heard in round \(round), \(capture.playedFrames) frames were; the card: \
          \(SoundCardStatus(card: 0).map { "\($0)" } ?? "none"); \(note.sonde.process.errors.all)
          """)
        #expect(abs(pitch / 440 - 1) < 0.01)
        note.endRound()
      }
      try note.finish("an AC97 that leaves and returns")
    }

    /// A card that stops moving without a word is given up, and taken back when it moves, not when it can be opened.
    @Test func aCardStallsUnderAHeldNote() throws {
      try loadStallingCard()
      defer { unloadStallingCard() }
      var clock = try ClockCard()
      let note = try HeldNote(device: "hw:20,0")
      let rounds = Repetition.count(of: 100)
      for round in 1...rounds {
        clock.stop()
        try note.waitFor(losses: round, returns: round - 1)
        // Longer than it takes to give up a device, so that one that can be opened has time to be taken for a living one.
        try note.play(3, .away)
        try note.waitFor(losses: round, returns: round - 1)
        clock = try ClockCard()
        try note.waitFor(losses: round, returns: round)
        try note.play(1, .playing)
        // A busy machine interrupts it now and then, and it begins at 0 again.
        let isMoving: Void? = wait(seconds: 30) {
          guard let status = SoundCardStatus(card: 20) else { return nil }
          return status.state == "RUNNING" && status.hardwarePosition > 8192 ? () : nil
        }
        #expect(isMoving != nil, "it stands: \(note.sonde.process.errors.all)")
        note.endRound()
      }
      try note.finish("a PCM that stalls and moves again")
      clock.stop()
    }

    /// The same of a microphone: the music goes on beside it, and hears silence.
    @Test func aMicrophoneStallsAndMovesAgain() throws {
      try loadStallingCard()
      defer { unloadStallingCard() }
      var clock = try ClockCard()
      let engine = CsoundEngine(
        EngineConfiguration(
          .text(
            LabOrchestra.csd(
              """
              nchnls_i = 2
              alwayson "Hear"
              instr Hear
                aLeft, aRight ins
                outs aLeft, aRight
              endin
              """, options: "-odac:hw:0 -iadc:hw:20,1 -b1024 -B4096 -d", ksmps: 256),
            name: "lab.csd", folder: "/tmp")))
      try engine.start()
      var messages: [String] = []
      func count(_ words: String) -> Int {
        messages += engine.service().map(\.text)
        return messages.count { $0.contains("The capture device hw:20,1 \(words)") }
      }
      func playOn(seconds: Double) {
        let cycles = engine.statistics.cycles + Int(seconds * 48_000 / 256)
        let isDone: Void? = wait(seconds: 60, interval: 0.1) {
          messages += engine.service().map(\.text)
          return engine.statistics.cycles >= cycles ? () : nil
        }
        #expect(isDone != nil, "the music does not go on")
      }
      playOn(seconds: 1)
      let rounds = Repetition.count(of: 20)
      for round in 1...rounds {
        clock.stop()
        #expect(wait(seconds: 30, interval: 0.1) { count("is gone") >= round ? () : nil } != nil)
        playOn(seconds: 4)
        #expect(count("is gone") == round && count("is there") == round - 1, "\(messages)")
        clock = try ClockCard()
        #expect(wait(seconds: 30, interval: 0.1) { count("is there") >= round ? () : nil } != nil)
        playOn(seconds: 2)
        #expect(count("is gone") == round && count("is there") == round, "\(messages)")
      }
      let (gone, there) = (count("is gone"), count("is there"))
      let losses = engine.statistics.deviceLosses
      engine.stop()
      clock.stop()
      report(
        "\(rounds) rounds of a microphone that stalls: \(gone) losses and \(there) returns said")
      #expect(losses == 0)
    }

    /// A loopback that moves with the clock of another card (snd-aloop: `timer_source`), which runs as long as that is
    /// played.
    private func loadStallingCard() throws {
      let loading = try ChildProcess([
        "modprobe", "snd-aloop", "index=20", "pcm_substreams=1",
        "timer_source=\(SoundCardStatus.dummyCard).0.0",
      ])
      try #require(loading.waitForEnd(seconds: 20) == .exited(0), "\(loading.errors.all)")
      try #require(wait(seconds: 5) { SoundCardStatus(card: 20) == nil ? nil : () } != nil)
    }

    private func unloadStallingCard() {
      let unloading = try? ChildProcess(["rmmod", "snd-aloop"])
      #expect(unloading?.waitForEnd(seconds: 20) == .exited(0))
    }

    /// Silence into the dummy card, which makes its clock run.
    private struct ClockCard {
      private let player: ChildProcess

      init() throws {
        player = try ChildProcess([
          "aplay", "-q", "-D", "hw:\(SoundCardStatus.dummyCard)", "-f", "S16_LE", "-r", "48000",
          "-c", "2", "--period-size=1024", "--buffer-size=8192", "/dev/zero",
        ])
        try #require(
          wait(seconds: 10) {
            (SoundCardStatus(card: SoundCardStatus.dummyCard)?.hardwarePosition ?? 0) > 0 ? () : nil
          } != nil, "\(player.errors.all)")
      }

      func stop() {
        player.signal(SIGKILL)
        #expect(player.waitForEnd(seconds: 10) != nil)
      }
    }
  }
}
