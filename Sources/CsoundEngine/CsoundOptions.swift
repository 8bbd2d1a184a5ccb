/// The command line options of a CSD and of the user, taken apart.
///
/// Csound ends the process on a wrong option that comes by `csoundSetOption`, so nothing reaches it unchecked.
struct CsoundOptions {
  /// One option each, with its argument glued on (`-b-2`, not `-b -2`).
  var glued: [String] = []
  /// As written, for a check by Csound itself.
  var written: [String] = []
  // Where those of the user begin in `glued`.
  private var firstOfUser = 0

  // Short options whose argument may be the next word.
  private static let takesArgument = Set("oibBkrmMFQLtxHjOUP")
  private static let printsAndEnds = [
    "--help", "--version", "--list-opcodes", "--devices", "--midi-devices", "--get-system-sr",
    "--utility", "-z", "-U",
  ]

  // Seen to hang in csoundStart or in the first k-cycle.
  private static let neverPlays: Set = ["-C", "--cscore", "-I", "--i-only", "--syntax-check-only"]

  /// The options of the CSD, then those of the user, which win.
  ///
  /// - Throws: `EngineError` that names the option and where it stands.
  init(of file: CSDFile, and user: [String]) throws(EngineError) {
    if let section = file.section("CsOptions") {
      var block = false
      for (index, line) in section.lines.enumerated() {
        let words = CsoundOptions.words(of: line, inComment: &block)
        try add(words, place: "\(file.name):\(section.first + index)")
      }
    }
    firstOfUser = glued.count
    try add(user, place: "the command line")
    written = user
  }

  private mutating func add(_ words: [String], place: String) throws(EngineError) {
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if !word.hasPrefix("-") || word == "-" {
        throw EngineError(
          .option, "\(place): '\(word)' is not an option; Csound options start with -.")
      }
      for refused in CsoundOptions.printsAndEnds where word.hasPrefix(refused) {
        throw EngineError(
          .option,
          "\(place): \(word) only makes Csound print something and end; leave it out, or use the command csound."
        )
      }
      if CsoundOptions.neverPlays.contains(word) {
        throw EngineError(
          .option,
          "\(place): with \(word) Csound does not play, and would never come back; leave it out.")
      }
      // A rate below 0 asks for the same.
      if word == "--use-system-sr" || word.hasPrefix("--sample-rate=-") || word.hasPrefix("-r-") {
        throw EngineError(
          .option,
          "\(place): \(word) opens the sound card behind Sonde's back; leave it out: the rate of the device is found out anyway."
        )
      }
      let letters = Array(word)
      let wantsMore =
        letters.count == 2 && CsoundOptions.takesArgument.contains(letters[1])
        // -H and -j may stand alone at the end; Csound's own check decides.
        && index < words.count
      if wantsMore {
        let argument = words[index]
        if argument.hasPrefix("-") && (letters[1] == "b" || letters[1] == "B") {
          throw EngineError(
            .option,
            "\(place): \(word) \(argument) is misread by Csound; write \(word)\(argument) without a blank."
          )
        }
        if !argument.hasPrefix("-") || argument == "-" {
          glued.append(word + argument)
          index += 1
          continue
        }
      }
      glued.append(word)
    }
  }

  // Words of one line; quotes hold blanks together, ; # and // start comments, as Csound reads them.
  private static func words(of line: String, inComment block: inout Bool) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    let letters = Array(line)
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      let next: Character = index + 1 < letters.count ? letters[index + 1] : " "
      if block {
        if letter == "*" && next == "/" {
          block = false
          index += 1
        }
      } else if letter == "\"" {
        isQuoted.toggle()
      } else if isQuoted {
        word.append(letter)
      } else if letter == "/" && next == "*" {
        block = true
        index += 1
      } else if letter == ";" || (letter == "#" && word.isEmpty)
        || (letter == "/" && next == "/" && word.isEmpty)
      {
        break
      } else if letter == " " || letter == "\t" {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(letter)
      }
      index += 1
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Whether `-n` or `--nosound` is among them, also inside a cluster such as `-dnm0`.
  var isSilent: Bool {
    glued.contains { $0 == "--nosound" || CsoundOptions.names("n", $0) }
  }

  /// Whether those of the user, not of the CSD, name `-b` or `-B`.
  var namesBuffers: Bool {
    glued[firstOfUser...].contains { option in
      ["--iobufsamps=", "--hardwarebufsamps="].contains { option.hasPrefix($0) }
        || CsoundOptions.names("b", option) || CsoundOptions.names("B", option)
    }
  }

  private static func names(_ wanted: Character, _ option: String) -> Bool {
    if option.hasPrefix("--") || option.hasPrefix("-+") { return false }
    for letter in option.dropFirst() {
      if letter == wanted { return true }
      // The rest is that one's argument.
      if takesArgument.contains(letter) { return false }
    }
    return false
  }

  /// The value of the last `-+NAME=VALUE`, or nil.
  func setting(_ name: String) -> String? {
    let start = "-+\(name)="
    guard let option = glued.last(where: { $0.hasPrefix(start) }) else { return nil }
    return String(option.dropFirst(start.count))
  }
}
