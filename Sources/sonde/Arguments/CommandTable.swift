extension CommandSpecification {
  private static let csd = ArgumentValue.file(extensions: ["csd"])
  private static func map(required: Bool = false) -> OptionSpecification {
    OptionSpecification(
      "map", "FILE", .file(extensions: ["map"]), repeatable: true, required: required,
      "Read the mapping from FILE; several are read as one")
  }
  private static let take = OptionSpecification(
    "take", "FILE", .file(extensions: ["take"]),
    "Play the recorded input in FILE instead of devices"
  )
  private static let duration = OptionSpecification(
    "for", "TIME", .text, "End after TIME: 20s, 500ms")

  /// Every command, in the order in which help lists them.
  static let all: [CommandSpecification] = [
    CommandSpecification(
      name: "play", operands: "[CSD]", operandCount: 0...1, operandValue: csd,
      summary: "Play an instrument with whatever is plugged in",
      description: """
        Reads controllers and motion sensors, routes them by the mapping and plays the CSD. Devices may \
        come and go at any time. Without --map the CSD's namesake .map beside it is used, else \
        default.map in the user's configuration folder, else the built-in mapping; without a CSD the \
        one that the mapping names, else a built-in instrument.
        """,
      options: [
        map(), take,
        OptionSpecification("live", "With --take: read the real devices as well"),
        OptionSpecification(
          "record", "FILE", .file(extensions: ["wav", "flac", "ogg", "aiff"]),
          "Record what is heard to FILE, whose ending says the type; it can be read at any time"),
        OptionSpecification(
          "record-format", "16|24|float", .words(["16", "24", "float"]),
          "With --record: the bits of a sample; 16 where nothing is said"),
        OptionSpecification(
          "record-take", "FILE", .file(extensions: ["take"]), "Record the input to FILE"),
        OptionSpecification(
          "audio", "alsa|jack|none", .words(["alsa", "jack", "none"]),
          "Where the sound goes: ALSA, a JACK server that runs, or nowhere in real time; without it the CSD says, else ALSA"
        ),
        OptionSpecification(
          "latency", "TIME", .text,
          """
          Let a gesture sound within TIME (5ms), by the longest buffer that does it; -b and -B after -- \
          win, those of the CSD lose. Without it the buffer is two periods of about 5 ms
          """),
        OptionSpecification(
          "timing", "steady|asap", .words(["steady", "asap"]),
          "Constant latency (the default), or the least at the price of jitter"),
        duration,
        OptionSpecification(
          "stats", "FILE", .file(extensions: ["json"]),
          "Write statistics to FILE at the end; - is standard output"),
        OptionSpecification("quiet", "Show no line of what moves"),
      ], takesCsoundOptions: true),
    CommandSpecification(
      name: "render", operands: "[CSD]", operandCount: 0...1, operandValue: csd,
      summary: "Render a recorded take to a sound file, faster than it plays",
      description: """
        Plays the take through the mapping and the CSD without a sound card; the same input gives the \
        same samples each time. Ends at --for if given, else at the score's end, else 2 s after the \
        take. The CSD may be left out where the mapping names one.
        """,
      options: [
        take, map(),
        OptionSpecification(
          "output", "FILE", .file(extensions: ["wav", "flac", "ogg", "aiff"]), required: true,
          "The sound file to write"),
        duration,
        OptionSpecification("quiet", "Show no progress"),
      ], takesCsoundOptions: true),
    CommandSpecification(
      name: "trace", operands: "TAKE", operandCount: 1...1,
      operandValue: .file(extensions: ["take"]),
      summary: "Print what every target of a mapping receives from a take",
      description: """
        Writes CSV to standard output: time, target, value; one line for a target's first value and one \
        for each change. Values are those before smoothing. Csound does not run.
        """,
      options: [map(required: true)]),
    CommandSpecification(
      name: "record", operands: "FILE.take", operandCount: 1...1,
      operandValue: .file(extensions: ["take"]),
      summary: "Record the input of all devices",
      description: """
        Writes what the devices do as a take, until interrupted or for a time; - is standard output.
        """,
      options: [
        duration,
        OptionSpecification("raw", "Add the undecoded events of the kernel, for bug reports"),
      ]),
    CommandSpecification(
      name: "devices", operands: "", operandCount: 0...0, operandValue: .text,
      summary: "List the devices that are there, by the names that a mapping uses",
      description: """
        Shows each controller and motion sensor with its identity, its controls, and what cannot be read \
        and why.
        """,
      options: [
        OptionSpecification("json", "Print JSON"),
        OptionSpecification("watch", "Go on, and print what is plugged in and out"),
      ]),
    CommandSpecification(
      name: "check", operands: "FILE…", operandCount: 1...999,
      operandValue: .file(extensions: ["map"]),
      summary: "Check mapping files and tell everything that is wrong",
      description: """
        Reads the files as one mapping and prints every error, warning and note with its place. Exits \
        with 1 if there is an error.
        """,
      options: [OptionSpecification("json", "Print JSON on standard output, for editors")]),
    CommandSpecification(
      name: "doctor", operands: "", operandCount: 0...0, operandValue: .text,
      summary: "Tell what is missing on this system, and the line that fixes it",
      description: """
        Looks at packages, Csound, the sound card, permissions and realtime limits.
        """,
      options: []),
    CommandSpecification(
      name: "help", operands: "[COMMAND]", operandCount: 0...1,
      operandValue: .words([
        "play", "render", "trace", "record", "devices", "check", "doctor", "help",
      ]),
      summary: "Print help, the manual page or shell completions",
      description: "Without arguments: the list of commands.",
      options: [
        OptionSpecification("man", "Print the manual page (roff)"),
        OptionSpecification(
          "completion", "SHELL", .words(["bash", "zsh", "fish"]),
          "Print the completions of bash, zsh or fish"),
      ]),
  ]
}
