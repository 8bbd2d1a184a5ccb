import CLinux
import Glibc

/// What a path names.
public struct FileStatus: Sendable, Hashable {
  public enum Kind: Sendable { case file, folder, characterDevice, other }

  public var kind: Kind
  public var size: Int
  /// The permission bits, such as 0o660.
  public var permissions: UInt32
  /// When it was last written, on the wall clock.
  public var modified: Int64
  /// Tells whether two paths are one file, and whether a file was replaced.
  public var device: UInt64
  public var inode: UInt64
}

/// The status of what `path` names, following links; nil when there is nothing.
///
/// C: `stat`.
public func fileStatus(_ path: String) -> FileStatus? {
  var status = stat()
  if stat(path, &status) != 0 { return nil }
  let kind: FileStatus.Kind =
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFCHR: .characterDevice
    default: .other
    }
  return FileStatus(
    kind: kind, size: Int(status.st_size), permissions: UInt32(status.st_mode & 0o7777),
    modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
    device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
}

/// Whether anything is at `path`.
public func fileExists(_ path: String) -> Bool { fileStatus(path) != nil }

/// Whether this process may read `path` (C: `access`).
public func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

/// The path without links, `.` and `..`.
///
/// - Throws: `SystemError` of `realpath` when something on the way is missing.
public func realPath(_ path: String) throws(SystemError) -> String {
  guard let found = realpath(path, nil) else { throw .last("realpath", path) }
  defer { free(found) }
  return String(cString: found)
}

/// The whole content of a file; `-` is standard input.
///
/// - Parameter limit: the most bytes that it may have; more is `ErrorNumber.tooLarge`.
/// - Throws: `SystemError` when it is missing, a folder, unreadable or too large.
public func readFile(_ path: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8] {
  if path == "-" { return try readAll(STDIN_FILENO, "standard input", limit) }
  let file = try FileDescriptor(opening: path)
  // A folder opens, and only its read fails; say so before.
  var status = stat()
  if fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    throw SystemError(.isFolder, call: "read", path: path)
  }
  return try readAll(file.number, path, limit)
}

private func readAll(_ descriptor: Int32, _ path: String, _ limit: Int) throws(SystemError)
  -> [UInt8]
{
  var content: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &part, part.count)
    if count == 0 { return content }
    if count < 0 {
      if errno == EINTR { continue }
      throw .last("read", path)
    }
    content += part[..<count]
    if content.count > limit { throw SystemError(.tooLarge, call: "read", path: path) }
  }
}

/// Writes a whole file, replacing what was there in one step: a reader sees the old or the new, never a part. `-` is
/// standard output.
///
/// A link stays a link, its file is replaced; permissions stay.
/// - Throws: `SystemError` of the call that failed; then the old file is untouched.
public func writeFile(_ path: String, _ content: [UInt8]) throws(SystemError) {
  if path == "-" { return try writeContent(content, to: STDOUT_FILENO, "standard output") }
  let target = fileExists(path) ? try realPath(path) : path
  let old = fileStatus(target)
  if old?.kind == .folder { throw SystemError(.isFolder, call: "write", path: path) }
  if let old, old.kind != .file {
    let file = try FileDescriptor(path: target, flags: O_WRONLY)
    return try writeContent(content, to: file.number, path)
  }
  let temporary = target + ".new-\(getpid())"
  do throws(SystemError) {
    let file = try FileDescriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_TRUNC)
    if let old { _ = fchmod(file.number, mode_t(old.permissions)) }
    try writeContent(content, to: file.number, path)
    if rename(temporary, target) != 0 { throw SystemError.last("rename", path) }
  } catch {
    unlink(temporary)
    throw error.path == temporary
      ? SystemError(error.number, call: error.call, path: path) : error
  }
}

private func writeContent(_ content: [UInt8], to descriptor: Int32, _ path: String)
  throws(SystemError)
{
  // Typed throws do not pass through `withUnsafeBytes` of an Array on every toolchain; carry the error out.
  var failure: SystemError?
  content.withUnsafeBytes { bytes in
    do throws(SystemError) {
      try writeAll(bytes, to: descriptor, path: path)
    } catch { failure = error }
  }
  if let failure { throw failure }
}

/// The names in a folder, sorted, without `.` and `..`.
///
/// - Throws: `SystemError` of `opendir`.
public func folderContents(_ path: String) throws(SystemError) -> [String] {
  guard let folder = opendir(path) else { throw .last("opendir", path) }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Makes a folder and those above it; one that is there already is fine.
///
/// - Throws: `SystemError` of `mkdir`.
public func makeFolder(_ path: String) throws(SystemError) {
  if fileStatus(path)?.kind == .folder { return }
  if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
    try makeFolder(String(path[..<slash]))
  }
  if mkdir(path, 0o777) != 0 && errno != EEXIST { throw .last("mkdir", path) }
}

/// Removes a file; one that is not there is fine.
///
/// - Throws: `SystemError` of `unlink`.
public func removeFile(_ path: String) throws(SystemError) {
  if unlink(path) != 0 && errno != ENOENT { throw .last("unlink", path) }
}
