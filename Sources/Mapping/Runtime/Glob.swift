/// A text pattern in which `*` stands for any text and `?` for any one character; case counts.
public struct Glob: Sendable, Equatable {
  private let pattern: [Character]

  public init(_ pattern: String) { self.pattern = Array(pattern) }

  /// Whether all of `text` fits the pattern.
  public func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (p, t) = (0, 0)
    // The last star seen and where its text ends so far: only that one ever needs to take more.
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let (starPattern, starText) = star {
        star = (starPattern, starText + 1)
        p = starPattern + 1
        t = starText + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
