import Glibc
import LinuxIO
import Testing

/// Who loses one of these edits a mapping and hears no change.
@Suite struct FolderWatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("sonde-test") }

  @Test func writesAndAtomicReplacesAreSeenByName() throws {
    let watch = try FolderWatch()
    try watch.watch(folder.path)
    #expect(watch.changes() == [])
    try FileWriter(folder.file("a.map")).close()
    #expect(watch.changes() == [.init(folder: folder.path, name: "a.map")])
    try writeFile(folder.file("a.map"), [1])
    #expect(watch.changes().contains(.init(folder: folder.path, name: "a.map")))
    watch.unwatch(folder.path)
    try writeFile(folder.file("a.map"), [2])
    #expect(watch.changes() == [])
  }

  @Test func aMissingFolderIsNamed() throws {
    let watch = try FolderWatch()
    let error = #expect(throws: SystemError.self) { try watch.watch(folder.file("none")) }
    #expect(error?.path == folder.file("none"))
  }
}
