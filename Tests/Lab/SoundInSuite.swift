import Audio
import CsoundEngine
import Events
import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// What is said into a microphone must reach the orchestra as it was said: in tune, without a gap.
  @Suite struct SoundIn {
    private static let heard = "/tmp/lab-heard.wav"

    /// An orchestra that plays a tone, and writes what it hears to a file.
    private static func csd(_ options: String, tone: Double = 0) -> String {
      LabOrchestra.csd(
        """
        nchnls_i = 2
        alwayson "Hear"
        instr Hear
          aTone poscil 0.5, \(tone)
          outs aTone, aTone
          aLeft, aRight ins
          fout "\(heard)", 14, aLeft, aRight
        endin
        """, options: options)
    }

    /// Runs an orchestra; what it heard, and what was said meanwhile.
    private func hear(_ csd: String, seconds: Double, during: () throws -> Void = {}) throws -> (
      sound: SoundCapture.Sound, messages: [String], statistics: EngineStatistics
    ) {
      remove(Self.heard)
      let engine = CsoundEngine(
        EngineConfiguration(.text(csd, name: "lab.csd", folder: "/tmp")))
      try engine.start()
      let end = monotonicNow() + Nanoseconds(seconds * 1e9)
      var messages: [String] = []
      try during()
      repeat {
        messages += engine.service().map(\.text)
        pause(seconds: 0.1)
      } while monotonicNow() < end
      let statistics = engine.statistics
      engine.stop()
      messages += engine.service().map(\.text)
      let sound = try #require(SoundCapture(path: Self.heard).read(), "\(messages)")
      return (sound, messages, statistics)
    }

    /// The frames at which a sine is not continued as a sine: x[n+1] + x[n−1] = 2 cos(ω) x[n].
    private func breaks(_ wave: ArraySlice<Double>, frequency: Double, rate: Double) -> [Int] {
      let factor = 2 * cos(2 * Double.pi * frequency / rate)
      return wave.indices.dropFirst().dropLast().filter {
        abs(wave[$0 + 1] + wave[$0 - 1] - factor * wave[$0]) > 0.002
      }
    }

    private func loadLoopback() throws {
      let loading = try ChildProcess(["modprobe", "snd-aloop", "index=20", "pcm_substreams=1"])
      try #require(loading.waitForEnd(seconds: 20) == .exited(0), "\(loading.errors.all)")
      try #require(
        wait(seconds: 5) { SoundCardStatus(card: 20) == nil ? nil : () } != nil)
    }

    private func unloadLoopback() {
      let unloading = try? ChildProcess(["rmmod", "snd-aloop"])
      #expect(unloading?.waitForEnd(seconds: 20) == .exited(0))
    }

    /// One card: what is played into a loopback is captured from its other side, by one clock.
    @Test(arguments: [32, 100])
    func aToneComesBackThroughOneCard(ksmps: Int) throws {
      try loadLoopback()
      defer { unloadLoopback() }
      let device = try AudioDevice(
        .alsa("hw:20,0"),
        AudioRequest(
          rate: 48000, channels: 2, period: 1024, periods: 4, inputChannels: 2,
          inputDevice: "hw:20,1"))
      #expect(device.isDuplex)
      device.close()

      let text = Self.csd("-odac:hw:20,0 -iadc:hw:20,1 -b1024 -B4096 -d", tone: 441)
        .replacing("ksmps = 32", with: "ksmps = \(ksmps)")
      let (sound, messages, statistics) = try hear(text, seconds: 4)
      #expect(!messages.contains { $0.contains("resampled") })
      let wave = sound.channel(0)
      let begin = try #require(wave.firstIndex { abs($0) > 0.01 }, "nothing was heard: \(messages)")
      let steady = wave[(begin + 4800)...].prefix(96_000)
      let broken = breaks(steady, frequency: 441, rate: 48000)
      let peak = steady.max() ?? 0
      report(
        "ksmps \(ksmps), loopback, one clock: \(steady.count) frames, level \(peak.text(decimals: 4)) of 0.5, "
          + "\(broken.count) breaks, \(statistics.xruns) xruns, first heard after \(begin) frames")
      #expect(abs(peak - 0.5) < 0.001)
      #expect(broken.count <= 40 * statistics.xruns, "\(broken.prefix(20))")
      #expect(steady.count > 48_000)
    }

    /// Two cards: a loopback that runs `shift` faster, at a rate of its own, is heard by what plays on another card.
    ///
    /// At 16 kHz, since an emulated processor is slow with the resampler's arithmetic.
    @Test(arguments: [(16000, 1.0), (16000, 1.001), (11025, 0.9995)])
    func aToneComesFromAnotherClock(rate: Int, shift: Double) throws {
      try loadLoopback()
      defer { unloadLoopback() }
      let control = try ChildProcess([
        // The device is the one that captures, and its position is divided by the value (sound/drivers/aloop.c:
        // `get_setup`, `byte_pos`).
        "amixer", "-q", "-c", "20", "cset", "iface=PCM,name=PCM Rate Shift 100000,device=1",
        "\(Int((100_000 / shift).rounded()))",
      ])
      #expect(control.waitForEnd(seconds: 10) == .exited(0), "\(control.errors.all)")
      // One second of 441 Hz at half of full scale, and again and again.
      var bytes: [UInt8] = []
      for frame in 0..<rate {
        let value = Int16(
          (16_384 * sin(2 * Double.pi * 441 * Double(frame) / Double(rate))).rounded())
        let low = UInt8(truncatingIfNeeded: value)
        let high = UInt8(truncatingIfNeeded: value >> 8)
        bytes += [low, high, low, high]
      }
      let path = "/tmp/lab-tone.raw"
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      for _ in 0..<40 { try #require(write(file, bytes, bytes.count) == bytes.count) }
      close(file)
      let player = try ChildProcess([
        "aplay", "-q", "-D", "hw:20,0", "-f", "S16_LE", "-r", "\(rate)", "-c", "2", "-t", "raw",
        "--buffer-size=8192", path,
      ])
      #expect(wait(seconds: 10) { SoundCardStatus(card: 20)?.state == "RUNNING" ? () : nil } != nil)

      let (sound, messages, statistics) = try hear(
        Self.csd("-odac:hw:\(SoundCardStatus.dummyCard) -iadc:hw:20,1 -b512 -B2048 -d")
          .replacing("sr = 48000", with: "sr = 16000"),
        seconds: 12)
      player.signal(SIGINT)
      _ = player.waitForEnd(seconds: 5)
      let word = rate == 16000 ? "clock of its own" : "runs at 11025 Hz"
      #expect(messages.filter { $0.contains(word) }.count == 1, "\(messages)")
      let wave = sound.channel(0)
      let begin = try #require(wave.firstIndex { abs($0) > 0.01 }, "nothing was heard: \(messages)")
      // The loops have found the rate after a few seconds.
      let steady = wave[min(begin + 4 * 16_000, wave.endIndex)...].prefix(100_000)
      let broken = breaks(steady, frequency: 441 * shift, rate: 16000)
      let edges = [steady.startIndex] + broken + [steady.endIndex]
      let longest = zip(edges, edges.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 }!
      let whole = steady[longest.0..<longest.1].dropFirst(16).dropLast(16)
      let part = SoundCapture.Sound(
        sampleRate: 16_000, channelCount: 1, samples: whole.map { Int16($0 * 32_768) })
      let frequency = part.frequency() ?? 0
      let peak = whole.max() ?? 0
      // A machine that is emulated beside others interrupts the player and everybody else.
      let excuses =
        player.output.lines.count + player.errors.lines.count + statistics.xruns
        + statistics.captureGaps
      report(
        "\(rate) Hz × \(shift) beside 16000 Hz: \(whole.count) of \(steady.count) frames unbroken, "
          + "\(frequency.text(decimals: 3)) Hz (\((441 * shift).text(decimals: 3))), level "
          + "\(peak.text(decimals: 4)) of 0.5, \(broken.count) breaks, \(statistics.xruns) xruns, "
          + "\(statistics.captureGaps) gaps, \(excuses) excuses, first heard after \(begin) frames")
      #expect(whole.count > 4800)
      // After an interruption the speed is off by 0.3 % at the most until the place is right again.
      #expect(abs(frequency / (441 * shift) - 1) < (excuses == 0 ? 0.0002 : 0.003))
      #expect(abs(peak - 0.5) < 0.001)
      if excuses == 0 { #expect(broken.isEmpty, "\(broken.prefix(20))") }
    }

    /// A microphone that is unplugged is silence, and is heard again when it is back; the sound goes on.
    @Test func anUnpluggedMicrophoneComesBack() throws {
      try loadLoopback()
      defer { unloadLoopback() }
      let driver = "/sys/bus/platform/drivers/snd_aloop"
      let engine = CsoundEngine(
        EngineConfiguration(
          .text(
            Self.csd(
              "-odac:hw:\(SoundCardStatus.dummyCard) -iadc:hw:20,1 -b1024 -B4096 -d", tone: 441),
            name: "lab.csd", folder: "/tmp")))
      try engine.start()
      var messages: [String] = []
      func waitForMessage(_ word: String) -> Bool {
        wait(seconds: 20) {
          messages += engine.service().map(\.text)
          return messages.contains { $0.contains(word) } ? () : nil
        } != nil
      }
      for _ in 1...Repetition.count(of: 20) {
        messages = []
        // Returns when everybody has let go of the card.
        let unplugging = try ChildProcess(["sh", "-c", "echo snd_aloop.0 > \(driver)/unbind"])
        #expect(waitForMessage("The capture device hw:20,1 is gone"), "\(messages)")
        _ = wait(seconds: 10) {
          _ = engine.service()
          return unplugging.poll() == nil ? nil : ()
        }
        #expect(unplugging.poll() == .exited(0))
        let before = engine.statistics.cycles
        #expect(wait(seconds: 10) { engine.statistics.cycles > before + 1000 ? () : nil } != nil)
        let plugging = try ChildProcess(["sh", "-c", "echo snd_aloop.0 > \(driver)/bind"])
        #expect(plugging.waitForEnd(seconds: 10) == .exited(0))
        #expect(waitForMessage("The capture device hw:20,1 is there"), "\(messages)")
        #expect(
          messages.filter { $0.contains("is gone") || $0.contains("is there") }.count == 2,
          "\(messages)")
      }
      #expect(engine.statistics.backend == "alsa" && engine.statistics.deviceLosses == 0)
      engine.stop()
    }

    /// A microphone that is not there is said once, and is no reason not to play.
    @Test func aMissingMicrophoneIsSilence() throws {
      let (sound, messages, statistics) = try hear(
        Self.csd("-odac:hw:\(SoundCardStatus.dummyCard) -iadc:hw:21,1 -b1024 -B4096 -d", tone: 441),
        seconds: 3)
      #expect(messages.filter { $0.contains("hw:21,1 does not exist") }.count == 1, "\(messages)")
      #expect(sound.frameCount > 48_000 && sound.samples.allSatisfy { $0 == 0 })
      #expect(statistics.backend == "alsa")
    }
  }
}
