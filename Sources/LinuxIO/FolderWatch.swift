import CLinux
import Glibc

/// Tells when files in folders are written, replaced, made or removed (C: `inotify`).
///
/// Folders, not files: editors replace a file by renaming a new one over it.
public final class FolderWatch {
  public struct Change: Hashable, Sendable {
    public var folder: String
    /// The file's name; empty when the folder itself went.
    public var name: String

    public init(folder: String, name: String) {
      self.folder = folder
      self.name = name
    }
  }

  /// To register with `EventPoll`.
  public let descriptor: Int32
  private var folders: [Int32: String] = [:]

  /// - Throws: `SystemError` of `inotify_init1`.
  public init() throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    if descriptor < 0 { throw .last("inotify_init1") }
  }

  deinit { _ = close(descriptor) }

  /// Watches `folder`, which is named so in `Change`; twice is fine.
  ///
  /// - Throws: `SystemError` of `inotify_add_watch`.
  public func watch(_ folder: String) throws(SystemError) {
    let events =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ATTRIB
    let watch = inotify_add_watch(descriptor, folder, UInt32(events))
    if watch < 0 { throw .last("inotify_add_watch", folder) }
    folders[watch] = folder
  }

  /// No longer watches `folder`.
  public func unwatch(_ folder: String) {
    for (watch, name) in folders where name == folder {
      inotify_rm_watch(descriptor, watch)
      folders[watch] = nil
    }
  }

  /// What changed since the last call, each once; a queue that overflowed names every folder.
  public func changes() -> [Change] {
    var found: [Change] = []
    let size = 1 << 14
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { bytes.deallocate() }
    while true {
      let count = read(descriptor, bytes, size)
      if count <= 0 { return found }
      var offset = 0
      while offset < count {
        let record = bytes + offset
        let event = record.load(as: inotify_event.self)
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
          found += folders.values.map { Change(folder: $0, name: "") }
        } else if let folder = folders[event.wd] {
          let change = Change(folder: folder, name: String(cString: sonde_inotify_name(record)))
          if !found.contains(change) { found.append(change) }
          if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
        }
      }
    }
  }
}
