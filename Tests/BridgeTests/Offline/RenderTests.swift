import CsoundEngine
import Events
import LinuxIO
import Testing

@testable import Bridge

/// If these fail, rendering the same thing twice differs, or ends at the wrong time, or cannot be ended.
@Suite struct RenderTests {
  private func csd(score: String = "") -> String {
    """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = 32
    nchnls = 2
    0dbfs = 1
    alwayson "Voice"
    instr Voice
      kLevel chnget "level"
      aTone oscili kLevel * 0.5, 440
      outs aTone, aTone
    endin
    instr Bell
      aTone oscili 0.2, cpsmidinn(p4)
      outs aTone, aTone
    endin
    </CsInstruments>
    <CsScore>
    \(score)
    </CsScore>
    </CsoundSynthesizer>
    """
  }

  private let take = """
    sonde-take 1
    device pad gamepad name="Pad"
    0.1 pad left.x 0.5
    0.2 pad south 1
    0.4 pad south 0
    0.5 pad left.x 1

    """

  private func options(
    _ folder: TemporaryFolder, score: String = "", take: String?, output: String = "out.wav"
  ) throws -> Render.Options {
    var options = Render.Options(output: folder.file(output))
    options.csd = try folder.write("test.csd", csd(score: score))
    options.maps = [
      try folder.write("test.map", "gamepad.left.x -> level\ngamepad.south -> note Bell\n")
    ]
    if let take { options.take = try folder.write("test.take", take) }
    return options
  }

  /// The frames in a file of two channels of 16 bits.
  private func frames(_ path: String) throws -> Int {
    let bytes = try readFile(path)
    let data = Array("data".utf8)
    let start = try #require(
      bytes.indices.first { $0 + 8 <= bytes.count && Array(bytes[$0..<$0 + 4]) == data })
    #expect(bytes[22] == 2 && bytes[34] == 16)
    return (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) } / 4
  }

  @Test func twiceIsTheSame() throws {
    let folder = try TemporaryFolder("sonde-test")
    var first = try options(folder, take: take)
    var second = first
    first.output = folder.file("first.wav")
    second.output = folder.file("second.wav")
    #expect(try Render(first).run { _ in } == .finished)
    #expect(try Render(second).run { _ in } == .finished)
    let bytes = try readFile(first.output)
    #expect(try bytes == readFile(second.output))
    // It is no silence: the tone is there after 0.1 s.
    #expect(bytes.dropFirst(44 + 4 * 12000).prefix(4000).contains { $0 != 0 })
  }

  /// The thread is its caller's, whose own numbers must not lose their smallest.
  @Test func theCallersArithmeticStays() throws {
    let folder = try TemporaryFolder("sonde-test")
    var options = try options(folder, take: take)
    options.duration = 10_000_000
    _ = try Render(options).run { _ in }
    let tiny = Double(bitPattern: try readFile(options.output).isEmpty ? 0 : 1 << 52)
    #expect(tiny / 2 > 0)
  }

  @Test func itEndsTwoSecondsAfterTheTake() throws {
    let folder = try TemporaryFolder("sonde-test")
    let options = try options(folder, take: take)
    _ = try Render(options).run { _ in }
    let count = try frames(options.output)
    #expect(abs(count - 48000 * 5 / 2) <= 64)
  }

  @Test func aTakeOfWhatIsNotPlayedIsAsLong() throws {
    let folder = try TemporaryFolder("sonde-test")
    let options = try options(
      folder, take: "sonde-take 1\ndevice keys midi name=\"Keys\"\n1.5 keys midi 90 3c 64\n")
    _ = try Render(options).run { _ in }
    #expect(abs(try frames(options.output) - 48000 * 7 / 2) <= 64)
  }

  @Test func itEndsAtTheDuration() throws {
    let folder = try TemporaryFolder("sonde-test")
    var options = try options(folder, take: take)
    options.duration = 250_000_000
    _ = try Render(options).run { _ in }
    #expect(try frames(options.output) == 12000)
  }

  @Test func itEndsWithTheScore() throws {
    let folder = try TemporaryFolder("sonde-test")
    let options = try options(folder, score: "i \"Bell\" 0 0.75 60\nf 0 0.75", take: take)
    _ = try Render(options).run { _ in }
    let count = try frames(options.output)
    #expect(count < 48000 && count >= 36000)
  }

  @Test func aWrongTakeNamesItsLineAndEndsAtOnce() throws {
    let folder = try TemporaryFolder("sonde-test")
    let options = try options(
      folder, score: "f 0 3000",
      take: "sonde-take 1\ndevice pad gamepad\n0.1 pad left.x 1\n0.2 pad sideways 1\n")
    do throws(SessionError) {
      _ = try Render(options).run { _ in }
      Issue.record("A wrong take was rendered")
    } catch {
      #expect(error.description.contains("test.take:4: "))
    }
    #expect(try frames(options.output) < 48000)
  }

  @Test func aFileThatCannotBeWrittenIsNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    let options = try options(folder, take: take, output: "missing/out.wav")
    do throws(SessionError) {
      _ = try Render(options).run { _ in }
      Issue.record("Nothing was written, and nothing was said")
    } catch {
      #expect(error.description.contains("missing/out.wav"))
    }
  }

  @Test func missingFilesAreNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    var options = try options(folder, take: take)
    options.take = folder.file("none.take")
    #expect(throws: SessionError.self) { try Render(options) }
    options.take = nil
    options.csd = folder.file("none.csd")
    #expect(throws: SessionError.self) { try Render(options).run { _ in } }
  }

  /// Without this an interrupt is not seen where there is no take, or none any more.
  @Test func progressIsToldToTheEndAndCanEndIt() throws {
    let folder = try TemporaryFolder("sonde-test")
    let options = try options(folder, score: "f 0 3000", take: nil)
    var times: [Nanoseconds] = []
    var cancel: () -> Void = {}
    let render = try Render(
      options,
      progress: { time in
        times.append(time)
        if time >= .perSecond { cancel() }
      })
    cancel = { render.cancel() }
    #expect(try render.run { _ in } == .stopped)
    #expect(times.count >= 5 && times.count <= 8)
    #expect(try frames(options.output) < 2 * 48000)
  }
}
