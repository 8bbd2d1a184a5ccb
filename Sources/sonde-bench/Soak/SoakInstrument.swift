import LinuxIO

/// What the soak plays: 200 lines of a mapping, and an orchestra that listens to a part of them.
enum SoakInstrument {
  static let ksmps = 16
  static let lines = 200
  /// A channel that counts the notes that have begun.
  static let countChannel = "started"

  static var mapping: String {
    var text = ""
    for pad in 0..<DenseTake.pads {
      text += "device pad\(pad) gamepad uniq=00:00:00:00:00:0\(pad)\n"
      var routes = DenseTake.buttons.enumerated().map { number, button in
        "\(button) -> note Pluck key=\(48 + 12 * pad + number)"
      }
      routes += ["x", "y", "z"].flatMap { axis in
        [
          "accelerometer.\(axis) -> ax_\(axis)", "gyro.\(axis) -> gx_\(axis)",
          "accelerometer.\(axis) | from -1..1 | to 0..1 -> as_\(axis)",
          "gyro.\(axis) | abs -> ga_\(axis)",
          "gyro.\(axis) | from -2..2 | to 100..5000 log -> gl_\(axis)",
          "gravity.\(axis) -> gr_\(axis)", "acceleration.\(axis) | deadzone 0.02 -> ac_\(axis)",
          "accelerometer.\(axis) | smooth 40ms -> sm_\(axis)",
        ]
      }
      routes += [
        "accelerometer.length -> al", "gyro.length -> gl", "attitude.roll -> roll",
        "attitude.pitch -> pitch", "attitude.roll | from -70deg..70deg | smooth 40ms -> tilt",
        "attitude.pitch | invert -> nose", "acceleration.length -> shake",
        "attitude.roll | abs | to 0..1 pow 2 -> lean",
      ]
      for axis in ["left.x", "left.y", "right.x", "right.y"] {
        let name = axis.map { $0 == "." ? "_" : String($0) }.joined()
        routes += [
          "\(axis) -> \(name)", "\(axis) | deadzone 0.1 | to 0..1 pow 2 | smooth 20ms -> s_\(name)",
          "\(axis) | invert -> i_\(name)",
        ]
      }
      for route in routes.prefix(lines / DenseTake.pads) {
        text += "pad\(pad).\(isNote(route) ? route : route + "_\(pad)")\n"
      }
    }
    // So that the channel can be read; nothing moves this control.
    return text + "pad0.mode -> \(countChannel)\n"
  }

  private static func isNote(_ route: String) -> Bool { route.contains("-> note") }

  /// Writes the CSD.
  static func csd(in folder: TemporaryFolder) throws -> String {
    let path = "\(folder.path)/soak.csd"
    let text = """
      <CsoundSynthesizer>
      <CsOptions>
      -m0
      </CsOptions>
      <CsInstruments>
      sr = \(JACKServer.rate)
      ksmps = \(ksmps)
      nchnls = 2
      0dbfs = 1
      giSine ftgen 0, 0, 16384, 10, 1
      giStarted init 0
      instr Pluck
       giStarted = giStarted + 1
       chnset giStarted, "\(countChannel)"
       aTone poscil 0.05 * p5 / 127, cpsmidinn(p4), giSine
       aTone *= linsegr(0, 0.005, 1, 0.01, 0)
       outs aTone, aTone
      endin
      instr 99
       kRoll chnget "roll_0"
       kShake chnget "al_1"
       kBend chnget "left_x_2"
       aTone poscil 0.1 * (1 + 0.1 * kShake), 220 * (1 + 0.1 * kRoll + 0.1 * kBend), giSine
       outs aTone, aTone
      endin
      </CsInstruments>
      <CsScore>
      i 99 0 z
      </CsScore>
      </CsoundSynthesizer>

      """
    try writeFile(path, Array(text.utf8))
    return path
  }
}
