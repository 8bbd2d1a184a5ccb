import LinuxIO
import Testing

@testable import CsoundEngine

/// Csound replaces what has the name of its output; a user must not lose a device node by it.
@Suite struct OutputFileTests {
  @Test func whatIsNoFileIsRefused() throws {
    for (path, word) in [("/dev/null", "device"), ("/tmp", "folder")] {
      let error = #expect(throws: EngineError.self) { try OutputFile.check(path) }
      #expect(error?.kind == .output && error?.message.contains(word) == true)
    }
  }

  @Test func filesOldAndNewAreFine() throws {
    let path = "/tmp/sonde-output-\(monotonicNow()).wav"
    try OutputFile.check(path)
    try writeFile(path, [0])
    defer { try? removeFile(path) }
    try OutputFile.check(path)
  }

  @Test func aRunThatNamesADeviceNodeDoesNotStart() {
    var wishes = CsoundInstance.AudioWishes()
    wishes.output = "/dev/null"
    let error = #expect(throws: EngineError.self) {
      try AudioPlan(
        EngineConfiguration(.file("a.csd")), wishes, isSilent: false, name: "a.csd")
    }
    #expect(error?.message.hasPrefix("/dev/null is no file") == true)
  }
}
