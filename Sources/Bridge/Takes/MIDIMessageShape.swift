/// Whether bytes are exactly one MIDI message, as takes write them.
enum MIDIMessageShape {
  /// The longest SysEx, F0 and F7 included.
  static let longestSysEx = 65536

  /// What keeps `message` from being one whole message, or nil.
  static func problem(of message: [UInt8]) -> String? {
    guard let status = message.first else {
      return "a MIDI message without bytes; write them, as 90 3c 64."
    }
    if status < 0x80 {
      return "a MIDI message starts with a status byte, 80 to ff; write running status out."
    }
    var data = message.dropFirst()
    if status == 0xF0 {
      if message.count > longestSysEx { return "a SysEx message is longer than 64 KiB; split it." }
      if data.popLast() != 0xF7 { return "a SysEx message ends with f7; write it whole." }
    } else {
      let expected = dataCount(after: status)
      if data.count != expected {
        return
          "this MIDI message has \(data.count) data bytes and needs \(expected); write one whole message a line."
      }
    }
    if data.contains(where: { $0 >= 0x80 }) {
      return "a status byte stands inside a MIDI message; write that message on a line of its own."
    }
    return nil
  }

  /// How many data bytes follow a status byte other than F0 (MIDI 1.0 detailed specification, tables 1 and 5).
  private static func dataCount(after status: UInt8) -> Int {
    switch status {
    case 0x80...0xBF, 0xE0...0xEF, 0xF2: 2
    case 0xC0...0xDF, 0xF1, 0xF3: 1
    default: 0
    }
  }
}
