import LinuxIO

extension Contender {
  /// The command csound with its own JACK modules: a note on makes the jump.
  static let csoundMIDI = Contender("Csound, its rtmidi (jack)") { server, listener, folder in
    let csd = try stepCSD(
      """
      massign 0, 1
      giLevel init 0
      instr 1
       giLevel = (notnum() - 59) / 16
       turnoff
      endin
      instr 99
       kLevel = giLevel
       aOut upsamp kLevel
       out aOut
      endin
      """, name: "midi", in: folder)
    return try ProgramPlayer(
      csound(server) + ["-+rtmidi=jack", "-M0", csd], package: "csound", folder: folder,
      server: server, listener: listener, byMIDI: true
    ) { code, moment in listener.sendMIDI((0x90, UInt8(60 + code), 100), at: moment.frame) }
  }

  /// The command csound that listens to OSC.
  static let csoundOSC = Contender("Csound, OSC") { server, listener, folder in
    let sender = try DatagramSender()
    let csd = try stepCSD(
      """
      giPort OSCinit \(sender.port)
      instr 99
       kCode init 0
      more:
       kGot OSClisten giPort, "/note", "i", kCode
       if kGot == 0 goto done
       kgoto more
      done:
       aOut upsamp kCode / 16
       out aOut
      endin
      """, name: "osc", in: folder)
    let packets = (0..<StepCode.count).map { code in
      Array("/note\0\0\0,i\0\0".utf8) + [0, 0, 0, UInt8(code + 1)]
    }
    return try ProgramPlayer(
      csound(server) + [csd], package: "csound", folder: folder, server: server, listener: listener
    ) { code, _ in sender.send(packets[code]) }
  }

  private static let ksmps = 32

  /// The least buffers that Csound's JACK module takes, and the priority that its manual has for live playing.
  private static func csound(_ server: JACKServer) -> [String] {
    ["csound", "-d", "-m0", "-odac", "-+rtaudio=jack", "-b\(ksmps)", "-B\(server.period + ksmps)"]
      + (JACKServer.isRealtime ? ["--sched=5"] : [])
  }

  static func stepCSD(_ orchestra: String, name: String, in folder: TemporaryFolder) throws
    -> String
  {
    let path = "\(folder.path)/\(name).csd"
    let text = """
      <CsoundSynthesizer>
      <CsInstruments>
      sr = \(JACKServer.rate)
      ksmps = \(ksmps)
      nchnls = 1
      0dbfs = 1
      \(orchestra)
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
