/// What the mapping asks of the engine at one moment; the only thing that crosses from INPUT to PERFORM.
@frozen
public struct EngineCommand: BitwiseCopyable, Sendable {
  @frozen
  public enum Kind: UInt8, Sendable {
    /// The slot's channel takes `value` (through the slot's k-rate stages).
    case value
    /// The slot's note starts: `value` is its velocity (p5), `key` its key (p4).
    case noteOn
    /// The slot's note with this `key` is released.
    case noteOff
    /// From here on slots are those of the patch of generation `slot`.
    case `switch`
    /// Every held note is released.
    case panic
  }

  /// When the cause happened; the engine decides from it when it sounds.
  public var time: Nanoseconds
  public var value: Double
  public var key: Double
  /// An index into the patch's slots.
  public var slot: UInt32
  public var kind: Kind

  @inlinable
  public init(_ kind: Kind, time: Nanoseconds, slot: Int, value: Double = 0, key: Double = 0) {
    self.kind = kind
    self.time = time
    self.slot = UInt32(truncatingIfNeeded: slot)
    self.value = value
    self.key = key
  }
}

/// What a mapping's slots mean to the engine, in one generation of the mapping.
///
/// Made on CONTROL, handed over whole; the engine resolves names to pointers and instruments to numbers.
public struct EnginePatch: Sendable {
  public enum Slot: Sendable, Equatable {
    /// No line uses this number in this generation.
    case unused
    /// A control channel; `smoothing` is the time constant of `smooth` in seconds, 0 for none.
    case channel(name: String, smoothing: Double)
    /// A held note of an instrument, given by number or by name.
    case note(instrument: String)
  }

  public var generation: Int
  public var slots: [Slot]
  /// Values that channels have before the first k-cycle (the defaults of widgets).
  public var initialValues: [(channel: String, value: Double)]

  public init(
    generation: Int, slots: [Slot], initialValues: [(channel: String, value: Double)] = []
  ) {
    self.generation = generation
    self.slots = slots
    self.initialValues = initialValues
  }
}
