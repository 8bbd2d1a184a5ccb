import LinuxIO

extension Contender {
  /// Pure Data, as it is installed: a thread of its own computes ahead.
  static let pureData = pureData("Pure Data, UDP", options: [])

  /// Pure Data that computes when JACK calls.
  static let pureDataCallback = pureData("Pure Data -callback, UDP", options: ["-callback"])

  private static func pureData(_ name: String, options: [String]) -> Contender {
    Contender(name) { server, listener, folder in
      let sender = try DatagramSender()
      let patch = "\(folder.path)/step.pd"
      let text = """
        #N canvas 0 0 450 300 12;
        #X obj 10 10 netreceive -u \(sender.port);
        #X obj 10 40 sig~;
        #X obj 10 70 dac~ 1;
        #X connect 0 0 1 0;
        #X connect 1 0 2 0;

        """
      try writeFile(patch, Array(text.utf8))
      // Whole milliseconds are all that it takes.
      let buffer = max(1, (server.period * 1000 + JACKServer.rate - 1) / JACKServer.rate)
      let packets = (0..<StepCode.count).map { Array("\(StepCode.level(of: $0));\n".utf8) }
      return try ProgramPlayer(
        [
          "pd", "-nogui", "-rt", "-jack", "-nojackconnect", "-noadc", "-outchannels", "1", "-r",
          "\(JACKServer.rate)", "-audiobuf", "\(buffer)", "-nomidi", "-open", patch, "-send",
          "; pd dsp 1",
        ] + options, package: "puredata-core", folder: folder, server: server, listener: listener
      ) { code, _ in sender.send(packets[code]) }
    }
  }
}
