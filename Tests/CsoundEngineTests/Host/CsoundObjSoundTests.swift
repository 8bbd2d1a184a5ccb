import Events
import Glibc
import LinuxIO
import Testing

@testable import CsoundEngine

/// If one of these fails, recordings are broken, processors are not heard, or MIDI notes hang.
@Suite struct CsoundObjSoundTests {
  private let constant = csd("instr 1\nouts a(k(0.5)), a(k(-0.25))\nendin\nschedule 1, 0, -1")

  @Test(arguments: [
    ("a.wav", RecordingFormat.int16), ("b.wav", .int24), ("c.wav", .float32), ("d.flac", .int24),
    ("e.ogg", .int16), ("f.aiff", .int16),
  ])
  func aRecordingHoldsWhatIsHeard(name: String, format: RecordingFormat) throws {
    let folder = try TemporaryFolder("sonde-recording")
    let path = "\(folder.path)/\(name)"
    let csound = CsoundObj()
    try play(csound, constant)
    try csound.record(to: path, format: format)
    #expect(throws: EngineError.self) { try csound.record(to: path) }
    sleepUntil(monotonicNow() + 200_000_000)
    csound.stopRecording()
    let first = try SoundFileSummary(path)
    #expect(first.rate == 48000 && first.channels == 2 && first.frames > 0)
    #expect(abs(first.peak - 0.5) < (name.hasSuffix("ogg") ? 0.1 : 1e-4))
    // The next one replaces it, and the end of the run closes it.
    try csound.record(to: path, format: format)
    sleepUntil(monotonicNow() + 50_000_000)
    csound.stop()
    #expect(try SoundFileSummary(path).frames > 0)
  }

  /// Whatever happens to the program: what is there can be read.
  @Test func aRecordingCanBeReadWhileItGrows() throws {
    let folder = try TemporaryFolder("sonde-recording")
    let path = "\(folder.path)/growing.wav"
    let csound = CsoundObj()
    try play(csound, constant)
    try csound.record(to: path)
    #expect(eventually { ((try? SoundFileSummary(path))?.frames ?? 0) > 12_000 })
    csound.stop()
  }

  @Test func wrongFilesAreRefusedWithTheirName() throws {
    let csound = CsoundObj()
    try play(csound, constant)
    for path in ["/nonexistent/a.wav", "/tmp/a.mp3", "/tmp", "/dev/null", "noending"] {
      let error = #expect(throws: EngineError.self) { try csound.record(to: path) }
      #expect(error?.kind == .output && error?.message.contains(path) == true)
    }
    csound.stop()
  }

  /// A full disk is named.
  @Test func aFullDiskIsTold() throws {
    let folder = try TemporaryFolder("sonde-recording")
    let path = "\(folder.path)/full.wav"
    let linked = symlink("/dev/full", path)
    #expect(linked == 0)
    let error = #expect(throws: EngineError.self) {
      try Recorder(path, .int16, rate: 48000, channels: 1) { _ in }
    }
    #expect(error?.message.hasPrefix("\(path) cannot be recorded into: ") == true)
    #expect(error?.message.contains("No space left on device") == true)
  }

  @Test func muteIsSilenceAndTimeGoesOn() throws {
    let folder = try TemporaryFolder("sonde-recording")
    let path = "\(folder.path)/mute.wav"
    let csound = CsoundObj()
    csound.isMuted = true
    try play(csound, constant)
    let cycles = csound.statistics?.cycles ?? 0
    sleepUntil(monotonicNow() + 50_000_000)
    try csound.record(to: path, format: .float32)
    #expect(eventually { (csound.statistics?.cycles ?? 0) > cycles + 100 })
    csound.stopRecording()
    #expect(try SoundFileSummary(path).peak == 0)
    csound.isMuted = false
    try csound.record(to: path, format: .float32)
    sleepUntil(monotonicNow() + 100_000_000)
    csound.stop()
    #expect(try SoundFileSummary(path).peak == 0.5)
  }

  /// y = 1.5 x − 0.5 x³, by hand.
  @Test func softClipBendsPeaks() {
    #expect(abs(SoftClip.shape(0.1) - 0.1495) < 1e-12)
    #expect(abs(SoftClip.shape(0.5) - 0.6875) < 1e-12)
    #expect(SoftClip.shape(1) == 1 && SoftClip.shape(7) == 1 && SoftClip.shape(-7) == -1)
    #expect(SoftClip.shape(.nan) == 0 && SoftClip.shape(.infinity) == 1)
    let clip = SoftClip(gain: 2)
    var block = [0.25, 0.05, -3]
    block.withUnsafeMutableBufferPointer { clip.process($0) }
    #expect(abs(block[0] - 0.6875) < 1e-12 && abs(block[1] - 0.1495) < 1e-12 && block[2] == -1)
    clip.isBypassed = true
    block = [3]
    block.withUnsafeMutableBufferPointer { clip.process($0) }
    #expect(block == [3])
    clip.isBypassed = false
    clip.gain = 0
    block.withUnsafeMutableBufferPointer { clip.process($0) }
    #expect(block == [0])
  }

  @Test func processorsAreHeardInTheirOrder() throws {
    let csound = CsoundObj()
    let clip = csound.addProcessor(SoftClip(), at: .output)
    let meter = csound.addProcessor(LevelMeter(), at: .output)
    try play(csound, constant)
    #expect(eventually { abs((meter.levels.first?.rms ?? 0) - 0.6875) < 0.01 })
    // 1.5 × 0.25 − 0.5 × 0.25³ = 0.3671875.
    #expect(meter.levels.count == 2 && abs(meter.levels[1].peak - 0.3671875) < 1e-9)
    csound.removeProcessor(clip)
    #expect(eventually { abs((meter.levels.first?.rms ?? 0) - 0.5) < 0.01 })
    csound.stop()
  }

  @Test func aMeterHoldsPeaks() {
    let meter = LevelMeter(hold: 0.01)
    meter.prepare(rate: 1000, channels: 1, frames: 4)
    func feed(_ samples: [Double]) {
      var block = samples
      block.withUnsafeMutableBufferPointer { meter.process($0) }
    }
    feed([0, -0.8, 0, 0])
    #expect(meter.levels.map(\.peak) == [0.8])
    feed([0.1, 0.1, 0.1, 0.1])
    #expect(meter.levels.map(\.peak) == [0.8])
    feed([0.1, 0.1, 0.1, 0.1])
    feed([0.1, .nan, 0.1, 0.1])
    #expect(meter.levels.map(\.peak) == [0.1])
    // RMS of a constant is the constant.
    for _ in 0..<2000 { feed([0.5, -0.5, 0.5, -0.5]) }
    #expect(abs(meter.levels[0].rms - 0.5) < 1e-6)
  }

  private let keys = csd(
    """
    massign 0, 1
    gksounding init 0
    instr 1
     midinoteonkey p4, p5
     k1 active 1
     chnset k1, "sounding"
     inote notnum
     chnset inote, "key"
     a1 linsegr 0, 0.001, 1, 0.001, 0
     out 0.1 * a1
    endin
    instr 2
     k1 active 1
     chnset k1, "sounding"
     k7 ctrl7 1, 7, 0, 127
     chnset k7, "volume"
    endin
    schedule 2, 0, -1
    """, options: "-M hw:1 -+rtmidi=alsaseq")

  @Test func notesByMIDIStartAndEndAndPanicSilences() throws {
    let csound = CsoundObj()
    let sounding = try csound.controlChannel("sounding")
    let key = try csound.controlChannel("key")
    let volume = try csound.controlChannel("volume")
    try play(csound, keys) { $0.takesMIDI = true }
    csound.sendMIDI([0x90, 60])
    csound.sendMIDI([0xF8, 100])
    #expect(eventually { sounding.value == 1 && key.value == 60 })
    csound.sendMIDI([0xB0, 7, 33])
    #expect(eventually { volume.value == 33 })
    csound.sendMIDI([0x90, 60, 0])
    #expect(eventually { sounding.value == 0 })
    for key in 40..<72 { csound.sendMIDI([0x90, UInt8(key), 100, 0x91, UInt8(key), 100]) }
    csound.sendMIDI([0xB0, 64, 127, 0xB1, 64, 127])
    #expect(eventually { sounding.value == 64 })
    csound.panic()
    #expect(eventually { sounding.value == 0 })
    csound.stop()
  }

  /// Without `takesMIDI` no device is opened and nothing arrives, whatever the CSD says.
  @Test func midiThatIsNotWantedGoesNowhere() throws {
    let csound = CsoundObj()
    let sounding = try csound.controlChannel("sounding")
    try play(csound, keys)
    csound.sendMIDI([0x90, 60, 100])
    sleepUntil(monotonicNow() + 100_000_000)
    #expect(sounding.value == 0)
    csound.stop()
  }
}
