import Glibc

/// A folder for the files of one test; it goes with the object.
public final class LabFolder {
  public let path: String
  private var files: [String] = []

  /// Makes the folder.
  ///
  /// - Throws: `SystemCallError`.
  public init() throws {
    var template = Array("/tmp/sonde-lab-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("Cannot make a folder") }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    // Other users read and write here too.
    chmod(path, 0o777)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// The path of a file that may or may not be there.
  public func file(_ name: String) -> String {
    let file = "\(path)/\(name)"
    if !files.contains(file) { files.append(file) }
    return file
  }

  /// Writes a file and returns its path.
  ///
  /// - Throws: `SystemCallError`.
  public func write(_ text: String, to name: String) throws -> String {
    try TextFiles.write(text, to: file(name))
    return file(name)
  }
}
