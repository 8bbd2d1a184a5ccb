/// A control channel of an orchestra by its name, for any thread and for as long as it is held.
///
/// What is written before, between and after runs is what the next run begins with.
public final class ControlChannel: Sendable {
  public let name: String
  let chunk: ChannelChunk
  let index: Int

  init(_ name: String, _ chunk: ChannelChunk, _ index: Int) {
    self.name = name
    self.chunk = chunk
    self.index = index
  }

  /// What the orchestra said in its last k-cycle, or what was written since.
  ///
  /// Writing reaches the orchestra with the next k-cycle; what is not a number is not written.
  public var value: Double {
    get { chunk.value(index) }
    set { if newValue.isFinite { chunk.write(index, newValue) } }
  }

  /// Gives it a value that a hand has not chosen: nothing that was written before is lost.
  func begin(with value: Double) {
    if value.isFinite { chunk.begin(index, with: value) }
  }

  /// Makes the channel 1 for exactly one k-cycle, and 0 for one at least before the next such pulse.
  public func pulse() { chunk.pulse(index) }

  /// Whether the orchestra changed the value since the last call: cheap enough to ask before every drawing.
  public func takeChange() -> Bool { chunk.takeChange(index) }
}
