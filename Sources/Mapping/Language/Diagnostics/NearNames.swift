/// Names in which those that differ from a given one by a single slip are found without comparing them all.
///
/// Two texts are one slip apart only if they are equal once at most one letter is left out of each; so every name is
/// filed under all texts that it becomes with a letter left out. Digits must agree: `vol1` and `vol2` are no slip.
struct NearNames {
  private var byKey: [String: [Int]] = [:]
  private let names: [String]
  /// Shorter names are one slip apart too easily.
  private static let shortest = 4

  init(_ names: [String]) {
    self.names = names
    for (index, name) in names.enumerated() {
      for key in NearNames.keys(of: name) { byKey[key, default: []].append(index) }
    }
  }

  /// The index of the first name that is one slip, or only upper and lower case, from `name`; equal names do not count.
  func index(near name: String) -> Int? {
    let written = Array(name.lowercased().unicodeScalars)
    let found = Set(NearNames.keys(of: name).flatMap { byKey[$0] ?? [] })
    return found.filter { index in
      names[index] != name
        && Suggestion.distance(written, Array(names[index].lowercased().unicodeScalars)) <= 1
    }.min()
  }

  private static func keys(of name: String) -> Set<String> {
    let lower = name.lowercased()
    let letters = Array(lower.filter { !$0.isNumber })
    guard letters.count >= shortest else { return [] }
    let digits = lower.filter(\.isNumber)
    var keys: Set<String> = ["\(digits) \(String(letters))"]
    for index in letters.indices {
      var rest = letters
      rest.remove(at: index)
      keys.insert("\(digits) \(String(rest))")
    }
    return keys
  }
}
