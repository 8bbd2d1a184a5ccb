import LinuxIO

/// What the commands say to a person: results on standard output, everything else on standard error.
enum Terminal {
  /// Whether lines on standard error may be rewritten and coloured.
  static var isInteractive: Bool { StandardStream.error.isTerminal }

  /// Whether to use colour: https://no-color.org.
  static var hasColour: Bool {
    isInteractive && (environmentVariable("NO_COLOR") ?? "").isEmpty
  }

  static func output(_ line: String) { StandardStream.output.line(line) }

  static func error(_ line: String) {
    clearStatus()
    StandardStream.error.line(line)
  }

  /// The width that a status line may have.
  static var width: Int {
    environmentVariable("COLUMNS").flatMap { Int($0) }.map { max(20, $0 - 1) } ?? 79
  }

  // The command line's own thread is the only one that prints.
  nonisolated(unsafe) private static var statusIsShown = false

  /// Shows a line that the next one replaces; nothing where that is no terminal.
  static func status(_ line: String) {
    if !isInteractive { return }
    StandardStream.error.write("\r\u{1B}[K" + line)
    statusIsShown = true
  }

  static func clearStatus() {
    if statusIsShown { StandardStream.error.write("\r\u{1B}[K") }
    statusIsShown = false
  }
}
