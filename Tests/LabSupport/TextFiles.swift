import Glibc

/// The small files and folders of /sys, /proc and /run.
public enum TextFiles {
  /// The file's text without the newline at its end, or nil when it cannot be read.
  public static func read(_ path: String) -> String? {
    guard let bytes = bytes(path) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  /// The file's bytes from a position on, or nil when it cannot be read.
  ///
  /// - Parameter limit: how many at the most.
  public static func bytes(_ path: String, from position: Int = 0, limit: Int = .max) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    if position > 0, lseek(file, position, SEEK_SET) < 0 { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &chunk, min(chunk.count, limit - bytes.count))
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Replaces the file's content.
  ///
  /// - Throws: `SystemCallError`.
  public static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemCallError("Cannot open \(path)") }
    defer { close(file) }
    try writeAll(Array(text.utf8), to: file, named: path)
  }

  /// The names in a folder, sorted; empty when there is no such folder.
  public static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The path with all symbolic links followed, or nil when it leads nowhere.
  public static func resolve(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

func writeAll(_ bytes: [UInt8], to file: Int32, named name: String) throws {
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes {
      write(file, $0.baseAddress! + written, bytes.count - written)
    }
    if count < 0 {
      if errno == EINTR { continue }
      throw SystemCallError("Cannot write to \(name)")
    }
    written += count
  }
}
