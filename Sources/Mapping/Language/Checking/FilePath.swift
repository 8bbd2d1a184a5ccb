/// Paths in a mapping are relative to the file that names them. Worked out on the text alone, without a look at the disk.
enum FilePath {
  /// `path` as it is seen from where the file `base` is named from.
  static func resolve(_ path: String, relativeTo base: String) -> String {
    if path.hasPrefix("/") { return normalised(path) }
    guard let slash = base.lastIndex(of: "/") else { return normalised(path) }
    return normalised(base[...slash] + path)
  }

  /// The path without `.`, doubled slashes, and `..` behind a folder.
  static func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    let joined = parts.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + joined : joined.isEmpty ? "." : joined
  }
}
