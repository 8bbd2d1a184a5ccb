import LinuxIO
import Testing

/// If these fail, a long recording is cut off or opened as what it is not.
@Suite struct FileReaderTests {
  @Test func readsWhatWasWritten() throws {
    let path = "/tmp/sonde-file-reader-\(UInt64.random(in: 0 ... .max))"
    defer { try? removeFile(path) }
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    try writeFile(path, content)
    let reader = try FileReader(path)
    var piece = [UInt8](repeating: 0, count: 4099)
    var found: [UInt8] = []
    while true {
      let count = try piece.withUnsafeMutableBytes { try reader.read(into: $0) }
      if count == 0 { break }
      found += piece[..<count]
    }
    #expect(found == content)
  }

  @Test func foldersAndMissingFilesAreRefused() {
    #expect(throws: SystemError(.isFolder, call: "open", path: "/tmp")) { try FileReader("/tmp") }
    #expect(throws: SystemError.self) { try FileReader("/tmp/there/is/nothing") }
  }
}
