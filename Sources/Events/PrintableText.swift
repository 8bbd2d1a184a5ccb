extension String {
  /// The text without control characters but line ends and tabs: those of a broken or hostile file, or of a device's
  /// name, do not reach a terminal.
  public var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isControl =
        scalar.properties.generalCategory == .control && scalar != "\t" && scalar != "\n"
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
