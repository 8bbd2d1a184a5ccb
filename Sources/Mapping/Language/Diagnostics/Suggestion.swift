/// Finds what a misspelt name was meant to be.
enum Suggestion {
  /// The candidate nearest to `name`, or nil if none is near enough; upper and lower case do not count.
  static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    let written = Array(name.lowercased().unicodeScalars)
    // A third of the letters may be wrong; in a short name one.
    let tolerance = max(1, written.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in candidates where candidate != name {
      let letters = Array(candidate.lowercased().unicodeScalars)
      guard abs(letters.count - written.count) <= tolerance else { continue }
      let distance = distance(written, letters)
      guard distance <= tolerance, distance < max(written.count, letters.count) else { continue }
      if best == nil || (distance, candidate) < (best!.distance, best!.name) {
        best = (distance, candidate)
      }
    }
    return best?.name
  }

  /// "did you mean `x`?", or nil.
  static func hint(for name: String, in candidates: some Sequence<String>) -> String? {
    nearest(to: name, in: candidates).map { "did you mean `\($0)`?" }
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two texts
  /// (Damerau–Levenshtein, each part edited once).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let isSame = a[i - 1] == b[j - 1]
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
