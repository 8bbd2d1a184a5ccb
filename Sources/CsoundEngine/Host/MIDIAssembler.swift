/// Makes whole channel messages of a stream of MIDI bytes.
///
/// Running status is resolved, real-time bytes are taken out from between, system messages are dropped: libcsound64
/// 6.18 ends the process on a clock byte behind a status byte, and has no use for the rest.
struct MIDIAssembler {
  /// A channel message: a status byte from 0x80 to 0xEF and its data.
  struct Message: BitwiseCopyable, Equatable {
    var status: UInt8
    var first: UInt8
    var second: UInt8

    /// Program change and channel pressure have one data byte.
    var length: Int { status & 0xE0 == 0xC0 ? 2 : 3 }
  }

  private var status: UInt8 = 0
  private var first: UInt8?

  /// Takes one byte; the message that it completes, or nil.
  mutating func take(_ byte: UInt8) -> Message? {
    switch byte {
    case 0xF8...0xFF: return nil
    case 0xF0...0xF7:
      // A system message, and whatever data it has.
      status = 0
      first = nil
      return nil
    case 0x80...0xEF:
      status = byte
      first = nil
      return nil
    default: return takeData(byte)
    }
  }

  private mutating func takeData(_ byte: UInt8) -> Message? {
    if status == 0 { return nil }
    if status & 0xE0 == 0xC0 { return Message(status: status, first: byte, second: 0) }
    guard let begun = first else {
      first = byte
      return nil
    }
    first = nil
    return Message(status: status, first: begun, second: byte)
  }
}
