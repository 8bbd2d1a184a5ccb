/// CSDs of the suites: they print what reaches them, so that a test reads it from Sonde's standard output.
enum LabOrchestra {
  /// A CSD around an orchestra.
  static func csd(_ orchestra: String, options: String = "-odac -d", ksmps: Int = 32) -> String {
    """
    <CsoundSynthesizer>
    <CsOptions>
    \(options)
    </CsOptions>
    <CsInstruments>
    sr = 48000
    ksmps = \(ksmps)
    nchnls = 2
    0dbfs = 1
    \(orchestra)
    </CsInstruments>
    <CsScore>
    </CsScore>
    </CsoundSynthesizer>

    """
  }

  /// An instrument that prints `NAME VALUE` whenever one of the channels changes.
  static func shows(_ channels: String...) -> String {
    var lines = ["alwayson \"Show\"", "instr Show"]
    for (index, name) in channels.enumerated() {
      // printf prints when its trigger grows.
      lines += [
        "kValue\(index) chnget \"\(name)\"", "kCount\(index) init 0",
        "if changed2(kValue\(index)) == 1 then", "kCount\(index) += 1", "endif",
        "printf \"\(name) %.9f\\n\", kCount\(index), kValue\(index)",
      ]
    }
    return (lines + ["endin"]).joined(separator: "\n")
  }

  /// A tone without end at 440 · 2^left Hz, and held notes of which it prints how many there are.
  static let toneAndNotes = """
    alwayson "Tone"
    alwayson "Notes"
    instr Tone
      kLeft chnget "left"
      aTone poscil 0.4, 440 * 2 ^ kLeft
      outs aTone, aTone
    endin
    instr Held
    endin
    instr Notes
      iNumber nstrnum "Held"
      kNotes active iNumber
      kCount init 0
      if changed2(kNotes) == 1 then
        kCount += 1
      endif
      printf "notes %d\\n", kCount, kNotes
    endin
    """

  /// Counts its own notes: `press NUMBER` for each.
  static let counter = """
    giPresses init 0
    instr Press
      giPresses += 1
      prints "press %d\\n", giPresses
    endin
    """
}
