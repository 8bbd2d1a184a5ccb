import LinuxIO

/// The sound file that Csound writes.
enum OutputFile {
  /// Refuses what Csound would destroy: it replaces whatever has the name, as root also a device node.
  ///
  /// - Throws: `EngineError` when something other than a file has this name.
  static func check(_ path: String) throws(EngineError) {
    guard let kind = fileStatus(path)?.kind, kind != .file else { return }
    throw EngineError(
      .output,
      "\(path) is \(kind == .folder ? "a folder" : "no file but a device or a pipe"); name a sound file to write."
    )
  }
}
