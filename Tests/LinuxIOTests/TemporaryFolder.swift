import Glibc
import LinuxIO

/// A folder of its own for a test, removed with all that is in it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/sonde-test-XXXXXX".utf8CString)
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

  func file(_ name: String) -> String { path + "/" + name }
}
