// Calls of libcsound64 that PERFORM makes for a host program, between two k-cycles and without a deadline.
import CCsound
import Glibc

extension CsoundCalls {
  // MARK: text

  /// Takes one score event, with its end of line (C: `csoundInputMessage`), checked by `ScoreText`.
  func takeEvent(_ text: UnsafePointer<CChar>) { csoundInputMessage(instance, text) }

  /// Adds orchestra code (C: `csoundCompileOrc`); any thread but PERFORM, as long as the instance lives.
  func compile(_ text: OrchestraText) -> Int32 {
    text.bytes.withUnsafeBytes {
      csoundCompileOrc(instance, $0.baseAddress!.assumingMemoryBound(to: CChar.self))
    }
  }

  // MARK: tables

  /// The points of a table, without the guard point; nil where there is none. All other calls crash there.
  func tableLength(_ number: Int) -> Int? {
    guard let number = Int32(exactly: number), number > 0 else { return nil }
    let length = csoundTableLength(instance, number)
    return length < 0 ? nil : Int(length)
  }

  func readTable(_ number: Int) -> [Double]? {
    guard let length = tableLength(number) else { return nil }
    if length == 0 { return [] }
    var points: UnsafeMutablePointer<Double>?
    // Not `csoundTableCopyOut`, which trusts the length.
    let found = csoundGetTable(instance, &points, Int32(number))
    guard let points, found >= length else { return nil }
    return Array(UnsafeBufferPointer(start: points, count: length))
  }

  /// The guard point behind the last one stays as it is.
  ///
  /// - Parameter points: no more than the table has from `first` on.
  func writeTable(_ number: Int, _ points: [Double], at first: Int) {
    var place: UnsafeMutablePointer<Double>?
    guard csoundGetTable(instance, &place, Int32(number)) >= first + points.count, let place else {
      return
    }
    for (index, point) in points.enumerated() { place[first + index] = point }
  }

  // MARK: text channels

  /// Nil where the name belongs to a channel of another type.
  func textChannel(_ name: String) -> String? {
    var pointer: UnsafeMutablePointer<Double>?
    let type = Int32(CSOUND_STRING_CHANNEL.rawValue | CSOUND_OUTPUT_CHANNEL.rawValue)
    return name.withCString { name -> String? in
      guard csoundGetChannelPtr(instance, &pointer, name, type) == 0 else { return nil }
      let size = Int(csoundGetChannelDatasize(instance, name))
      if size <= 0 { return "" }
      // `csoundGetStringChannel` copies without a limit.
      var bytes = [CChar](repeating: 0, count: size + 1)
      bytes.withUnsafeMutableBufferPointer {
        csoundGetStringChannel(instance, name, $0.baseAddress!)
      }
      return bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
  }

  /// - Returns: false where the name belongs to a channel of another type.
  func setTextChannel(_ name: String, _ text: String) -> Bool {
    var pointer: UnsafeMutablePointer<Double>?
    let type = Int32(CSOUND_STRING_CHANNEL.rawValue | CSOUND_INPUT_CHANNEL.rawValue)
    return name.withCString { name in
      guard csoundGetChannelPtr(instance, &pointer, name, type) == 0 else { return false }
      var bytes = Array(text.utf8CString)
      bytes.withUnsafeMutableBufferPointer {
        csoundSetStringChannel(instance, name, $0.baseAddress!)
      }
      return true
    }
  }

  // MARK: audio channels

  /// Nil where the name belongs to a channel of another type. Made after the start it has room for ksmps samples.
  func audioChannel(_ name: String, frames: Int) -> [Double]? {
    var pointer: UnsafeMutablePointer<Double>?
    let type = Int32(CSOUND_AUDIO_CHANNEL.rawValue | CSOUND_OUTPUT_CHANNEL.rawValue)
    return name.withCString { name in
      guard csoundGetChannelPtr(instance, &pointer, name, type) == 0, let pointer else {
        return nil
      }
      return Array(UnsafeBufferPointer(start: pointer, count: frames))
    }
  }

  // MARK: all channels

  func channelList() -> [ChannelDescription] {
    var list: UnsafeMutablePointer<controlChannelInfo_t>?
    let count = Int(csoundListChannels(instance, &list))
    guard count > 0, let list else { return [] }
    defer { csoundDeleteChannelList(instance, list) }
    return (0..<count).map { description(list[$0]) }.sorted { $0.name < $1.name }
  }

  private func description(_ info: controlChannelInfo_t) -> ChannelDescription {
    let type = UInt32(bitPattern: info.type)
    let isInput = type & CSOUND_INPUT_CHANNEL.rawValue != 0
    let isOutput = type & CSOUND_OUTPUT_CHANNEL.rawValue != 0
    var kind = ChannelDescription.Kind.other
    switch type & CSOUND_CHANNEL_TYPE_MASK.rawValue {
    case CSOUND_CONTROL_CHANNEL.rawValue: kind = .control
    case CSOUND_AUDIO_CHANNEL.rawValue: kind = .audio
    case CSOUND_STRING_CHANNEL.rawValue: kind = .string
    default: break
    }
    return ChannelDescription(
      name: info.name.map { String(cString: $0) } ?? "", kind: kind, isInput: isInput || !isOutput,
      isOutput: isOutput || !isInput, hints: kind == .control ? hints(info.hints) : nil)
  }

  private func hints(_ hints: controlChannelHints_t) -> ChannelDescription.Hints? {
    let scale: ChannelDescription.Hints.Scale
    switch hints.behav {
    case CSOUND_CONTROL_CHANNEL_INT: scale = .integer
    case CSOUND_CONTROL_CHANNEL_LIN: scale = .linear
    case CSOUND_CONTROL_CHANNEL_EXP: scale = .exponential
    default: return nil
    }
    return ChannelDescription.Hints(
      scale: scale, defaultValue: hints.dflt, least: hints.min, greatest: hints.max,
      attributes: hints.attributes.map { String(cString: $0) } ?? "")
  }
}
