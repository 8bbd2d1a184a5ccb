import LinuxIO
import Testing

/// Who loses this finds forgotten folders in /tmp.
@Suite struct TemporaryFolderTests {
  @Test func isThereWhileItIsHeldAndGoesWithItsFiles() throws {
    var path = ""
    do {
      let folder = try TemporaryFolder("sonde-test")
      path = folder.path
      #expect(fileStatus(path)?.kind == .folder)
      try writeFile(path + "/a", [1])
      try writeFile(path + "/b", [2])
      try makeFolder(folder.file("inner/deep"))
      try writeFile(folder.file("inner/deep/c"), [3])
      withExtendedLifetime(folder) {}
    }
    #expect(!path.isEmpty)
    #expect(!fileExists(path))
  }

  @Test func twoOfOneNameAreTwo() throws {
    let first = try TemporaryFolder("sonde-test")
    let second = try TemporaryFolder("sonde-test")
    #expect(first.path != second.path)
  }
}
