import Glibc
import LabSupport
import LinuxIO
import Testing

/// A running `sonde play`, what its orchestra prints and what it says.
final class PlayingSonde {
  let process: ChildProcess
  let folder: LabFolder
  /// Up to where the orchestra's lines have been looked at.
  private var position = 0

  /// Writes the files, starts the command and waits until it plays.
  init(
    csd: String, map: String, options: [String] = ["--audio", "none"],
    user: ChildProcess.User = .same
  ) throws {
    folder = try LabFolder()
    let csdPath = try folder.write(csd, to: "lab.csd")
    let mapPath = try folder.write(map, to: "lab.map")
    process = try ChildProcess(
      [SondeCommand.path, "play", csdPath, "--map", mapPath, "--stats", folder.file("stats.json")]
        + options, user: user)
    let started = process.errors.waitForLine(seconds: 120) { $0.hasPrefix("Playing ") }
    try #require(started != nil, "sonde did not start: \(process.errors.all)")
  }

  /// Waits until the orchestra prints the channel with a value as near as this, after what was found before.
  ///
  /// - Returns: the value, or nil when it was not printed in time.
  func waitForValue(
    _ name: String, _ wanted: Double, within tolerance: Double, seconds: Double = 60
  ) -> Double? {
    let found = process.output.waitForLine(seconds: seconds, from: position) { line in
      Self.value(in: line, of: name).map { abs($0 - wanted) <= tolerance } ?? false
    }
    guard let found else { return nil }
    position = found.number + 1
    return Self.value(in: found.text, of: name)
  }

  /// Every value that was printed of a channel.
  func values(_ name: String) -> [Double] {
    process.output.lines.compactMap { Self.value(in: $0, of: name) }
  }

  /// Waits for a sentence of Sonde's that `condition` holds for, from line number `first` on.
  func waitForSentence(
    from first: Int = 0, seconds: Double = 60, where condition: (String) -> Bool
  ) -> (number: Int, text: String)? {
    process.errors.waitForLine(seconds: seconds, from: first, where: condition)
  }

  /// What it said of devices: everything but how the sound fared, which is the emulation's business.
  var deviceSentences: [String] {
    process.errors.lines.filter { !$0.hasPrefix("sonde: The sound ") }
  }

  /// Interrupts it as Ctrl-C does; it must end well.
  func stop() {
    process.signal(SIGINT)
    #expect(process.waitForEnd(seconds: 60) == .exited(0), "\(process.errors.all)")
  }

  /// A whole number of the statistics that it wrote at its end.
  ///
  /// - Parameter object: the member that it is in; nil for the statistics themselves.
  func statistic(_ name: String, of object: String? = nil) throws -> Int {
    try #require(Int(text(name, of: object)))
  }

  /// Any value of the statistics, without quotation marks.
  func text(_ name: String, of object: String? = nil) throws -> String {
    var text = try #require(TextFiles.read(folder.file("stats.json")), "no statistics")
    for key in [object, name].compactMap({ $0 }) {
      let start = try #require(text.end(of: "\"\(key)\":"), "no \(key) in \(text)")
      text = String(text[start...])
    }
    return String(text.prefix { $0 != "," && $0 != "}" && $0 != "\n" }.filter { $0 != "\"" })
  }

  private static func value(in line: String, of name: String) -> Double? {
    let words = line.split(separator: " ")
    guard words.count == 2, words[0] == name else { return nil }
    return Double(words[1])
  }
}

extension String {
  /// Where the text behind the first occurrence of `part` starts.
  func end(of part: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) { return index(start, offsetBy: part.count) }
      start = index(after: start)
    }
    return nil
  }
}

/// Fails above two seconds, and says how many times udev's own delay it was.
func reportDelay(_ what: String, from kernelTime: Int64, to time: Int64, udevDelay: Double) {
  let seconds = Double(time - kernelTime) / 1e9
  report(
    "\(what): \((seconds * 1000).text(decimals: 0)) ms after the kernel made the node, "
      + "\((seconds / udevDelay).text(decimals: 2)) times udev's \((udevDelay * 1000).text(decimals: 0)) ms"
  )
  #expect(seconds - udevDelay < 2, "\(what)")
}
