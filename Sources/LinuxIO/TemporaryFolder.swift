import Glibc

/// A folder of one's own under `$TMPDIR` or /tmp, which goes with its files when it is released.
public final class TemporaryFolder: Sendable {
  public let path: String

  /// Makes the folder (C: `mkdtemp`).
  ///
  /// - Parameter name: how its name begins.
  /// - Throws: `SystemError` of `mkdtemp`.
  public init(_ name: String) throws(SystemError) {
    let parent = environmentVariable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var pattern = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard let made = mkdtemp(&pattern) else { throw .last("mkdtemp", parent) }
    path = String(cString: made)
  }

  deinit { TemporaryFolder.remove(path) }

  /// The path of a file in it, whether it is there or not.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  // Best effort: what cannot be removed stays in a folder that the system empties.
  private static func remove(_ folder: String) {
    for name in (try? folderContents(folder)) ?? [] {
      // A link to a folder is removed as a file, so nothing outside is touched.
      if unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
    }
    rmdir(folder)
  }
}
