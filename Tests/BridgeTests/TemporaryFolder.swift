import LinuxIO

extension TemporaryFolder {
  /// Writes a file, with the folders on its way, and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let path = file(name)
    try makeFolder(String(path[..<path.lastIndex(of: "/")!]))
    try writeFile(path, Array(text.utf8))
    return path
  }
}
