extension Double {
  /// The shortest decimal text that reads back as the same number: `1`, `0.25`, `1e-07`.
  public var shortestText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
