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

  deinit {
    // Best effort: what cannot be removed stays in a folder that the system empties.
    for name in (try? folderContents(path)) ?? [] { try? removeFile("\(path)/\(name)") }
    rmdir(path)
  }
}
