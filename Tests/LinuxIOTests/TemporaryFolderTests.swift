import LinuxIO
import Testing

/// Who loses this finds forgotten folders in /tmp.
@Suite struct TemporaryFolderTests {
  @Test func isThereWhileItIsHeldAndGoesWithItsFiles() throws {
    var path = ""
    do {
      let folder = try LinuxIO.TemporaryFolder("sonde-test")
      path = folder.path
      #expect(fileStatus(path)?.kind == .folder)
      try writeFile(path + "/a", [1])
      try writeFile(path + "/b", [2])
      withExtendedLifetime(folder) {}
    }
    #expect(!path.isEmpty)
    #expect(!fileExists(path))
  }

  @Test func twoOfOneNameAreTwo() throws {
    let first = try LinuxIO.TemporaryFolder("sonde-test")
    let second = try LinuxIO.TemporaryFolder("sonde-test")
    #expect(first.path != second.path)
  }
}
