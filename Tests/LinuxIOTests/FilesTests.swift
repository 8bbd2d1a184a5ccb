import Glibc
import LinuxIO
import Testing

/// Who loses one of these gets a bare errno, a half-written mapping, or a take that is cut short.
@Suite struct FilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("sonde-test") }

  @Test func contentComesBackAsItWasWritten() throws {
    let path = folder.file("a")
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try writeFile(path, content)
    #expect(try readFile(path) == content)
    #expect(fileStatus(path)?.size == 200_000)
  }

  @Test func aMissingFileAFolderAndALargeOneAreNamed() throws {
    let missing = #expect(throws: SystemError.self) { try readFile(folder.file("none.map")) }
    #expect(missing?.number == .notFound)
    #expect(missing?.description == "\(folder.file("none.map")) does not exist (open: ENOENT)")
    let isFolder = #expect(throws: SystemError.self) { try readFile(folder.path) }
    #expect(isFolder?.number == .isFolder)
    try writeFile(folder.file("big"), [UInt8](repeating: 0, count: 11))
    let large = #expect(throws: SystemError.self) { try readFile(folder.file("big"), limit: 10) }
    #expect(large?.number == .tooLarge)
    #expect(try readFile(folder.file("big"), limit: 11).count == 11)
  }

  @Test func theMissingFolderOfANewFileIsNamed() {
    let new = folder.file("none/a.take")
    let failures = [
      #expect(throws: SystemError.self) { try writeFile(new, []) },
      #expect(throws: SystemError.self) { try FileWriter(new) },
    ]
    for failure in failures {
      #expect(failure?.description == "\(folder.file("none")) does not exist (open: ENOENT)")
    }
  }

  @Test func replacingKeepsLinksAndPermissions() throws {
    let target = folder.file("target")
    try writeFile(target, [1])
    let changed = chmod(target, 0o640)
    let linked = symlink("target", folder.file("link"))
    #expect(changed == 0 && linked == 0)
    try writeFile(folder.file("link"), [2, 3])
    #expect(try readFile(target) == [2, 3])
    #expect(fileStatus(target)?.permissions == 0o640)
    #expect(try realPath(folder.file("link")) == realPath(target))
    #expect(try folderContents(folder.path) == ["link", "target"])
  }

  @Test func aFailedReplacementLeavesNothingBehind() throws {
    let error = #expect(throws: SystemError.self) {
      try writeFile(folder.file("none/file"), [1])
    }
    #expect(error?.path == folder.file("none"))
    #expect(try folderContents(folder.path) == [])
  }

  @Test func foldersAreMadeWithThoseAbove() throws {
    try makeFolder(folder.file("a/b/c"))
    try makeFolder(folder.file("a/b/c"))
    #expect(fileStatus(folder.file("a/b/c"))?.kind == .folder)
    try writeFile(folder.file("a/x"), [])
    let error = #expect(throws: SystemError.self) { try makeFolder(folder.file("a/x/y")) }
    #expect(error?.number == .notFolder)
  }

  @Test func aWriterAppendsThroughItsBuffer() throws {
    let path = folder.file("take")
    let writer = try FileWriter(path, bufferSize: 16)
    for number in 0..<100 { try writer.write("line \(number)\n") }
    try writer.close()
    try writer.close()
    let again = try FileWriter(path, appending: true)
    try again.write(Array("end\n".utf8))
    try again.close()
    let text = String(decoding: try readFile(path), as: UTF8.self)
    #expect(text == (0..<100).map { "line \($0)\n" }.joined() + "end\n")
  }

  /// As with takes: a file called - in the user's folder would be hard to get rid of.
  @Test func aDashIsStandardOutput() throws {
    try writeFile("-", [])
    #expect(!fileExists("-"))
  }

  @Test func aFullDiskIsAnErrorOfTheWriter() throws {
    let writer = try FileWriter("/dev/full")
    try writer.write("text")
    let error = #expect(throws: SystemError.self) { try writer.close() }
    #expect(error?.number == .outOfSpace)
  }
}
