import Glibc
import LinuxIO
import Testing

@testable import Bridge

/// If these fail, `--take -` cannot be interrupted while nothing comes.
@Suite struct InterruptibleSourceTests {
  private func read(_ source: InterruptibleSource) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = try bytes.withUnsafeMutableBytes { try source.read(into: $0) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func anInterruptEndsTheWaiting() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var isInterrupted = false
    let source = InterruptibleSource(
      try FileReader("/dev/fd/\(ends[0])"), isInterrupted: { isInterrupted })
    #expect(write(ends[1], "take", 4) == 4)
    #expect(try read(source) == "take")
    isInterrupted = true
    // The writer is still there; without the interrupt this would wait for ever.
    #expect(try read(source).isEmpty)
    isInterrupted = false
    #expect(write(ends[1], "more", 4) == 4)
    // What ended stays ended.
    #expect(try read(source).isEmpty)
  }

  @Test func theDeadlineEndsTheWaiting() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let source = InterruptibleSource(
      try FileReader("/dev/fd/\(ends[0])"), isInterrupted: { false })
    source.deadline = monotonicNow()
    #expect(try read(source).isEmpty)
  }

  @Test func aFileIsReadAsItIs() throws {
    let folder = try TemporaryFolder("sonde-test")
    let file = try FileReader(folder.write("a.take", "take"))
    let source = InterruptibleSource(file, isInterrupted: { false })
    #expect(try read(source) == "take")
    #expect(try read(source).isEmpty)
  }
}
