extension CsoundObj {
  /// The text of a string channel, which is made if it is not there.
  ///
  /// - Throws: `EngineError` when nothing plays, or the name belongs to a channel of another type.
  public func text(ofChannel name: String) throws(EngineError) -> String {
    try checkChannelName(name)
    let text = try playing("its channels are gone").ask("its channels are gone") {
      $0.calls.textChannel(name)
    }
    guard let text else { throw wrongType(name, "string") }
    return text
  }

  /// Sets the text of a string channel, of any length, between two k-cycles.
  ///
  /// - Throws: `EngineError` as `text(ofChannel:)`, or when the text holds a NUL, where it would end for Csound.
  public func setText(_ text: String, ofChannel name: String) throws(EngineError) {
    try checkChannelName(name)
    if text.utf8.contains(0) {
      throw EngineError(.state, "The text for the channel \(name) holds a NUL; leave it out.")
    }
    let isDone = try playing("its channels are gone").ask("its channels are gone") {
      $0.calls.setTextChannel(name, text)
    }
    if !isDone { throw wrongType(name, "string") }
  }

  /// The ksmps samples that an audio channel holds between two k-cycles, in units of the orchestra.
  ///
  /// - Throws: `EngineError` as `text(ofChannel:)`.
  public func samples(ofChannel name: String) throws(EngineError) -> [Double] {
    try checkChannelName(name)
    let samples = try playing("its channels are gone").ask("its channels are gone") {
      $0.calls.audioChannel(name, frames: $0.ksmps)
    }
    guard let samples else { throw wrongType(name, "audio") }
    return samples
  }

  /// The channels that the orchestra has, with what it says of them (`chn_k`), in the order of their names.
  ///
  /// - Throws: `EngineError` when nothing plays.
  public func declaredChannels() throws(EngineError) -> [ChannelDescription] {
    try playing("its channels are gone").ask("its channels are gone") { $0.calls.channelList() }
  }

  private func wrongType(_ name: String, _ wanted: String) -> EngineError {
    EngineError(
      .state, "The channel \(name) is no \(wanted) channel in the orchestra; choose another name.")
  }
}

/// A channel of an orchestra.
public struct ChannelDescription: Sendable, Equatable {
  public enum Kind: Sendable { case control, audio, string, other }

  /// What `chn_k` says of a control channel's values.
  public struct Hints: Sendable, Equatable {
    public enum Scale: Sendable { case integer, linear, exponential }

    public var scale: Scale
    public var defaultValue: Double
    public var least: Double
    public var greatest: Double
    public var attributes: String
  }

  public var name: String
  public var kind: Kind
  /// Whether hosts write it, and whether the orchestra does; both where it does not say.
  public var isInput: Bool
  public var isOutput: Bool
  public var hints: Hints?
}
