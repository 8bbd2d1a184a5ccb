import Glibc
import LinuxIO

/// A folder of its own for a test, removed with all that is in it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/sonde-bridge-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template))
  }

  deinit { TemporaryFolder.remove(path) }

  private static func remove(_ path: String) {
    for name in (try? folderContents(path)) ?? [] {
      let inner = path + "/" + name
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }

  /// Writes a file, with the folders on its way, and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try makeFolder(String(file[..<file.lastIndex(of: "/")!]))
    try writeFile(file, Array(text.utf8))
    return file
  }

  func file(_ name: String) -> String { path + "/" + name }
}
