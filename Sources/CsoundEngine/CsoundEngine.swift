public import Events

/// Csound, live: plays a CSD into a sound card or into nothing, and follows the commands of a mapping.
///
/// One PERFORM thread owns the Csound instance for its whole life. `commands` belongs to the INPUT thread;
/// everything else may be called from any thread but is meant for CONTROL.
public final class CsoundEngine: Sendable {
  public let configuration: EngineConfiguration
  /// Commands for the engine; INPUT pushes.
  public let commands: SPSCRing<EngineCommand>

  public init(_ configuration: EngineConfiguration) {
    self.configuration = configuration
    commands = SPSCRing(capacity: configuration.commandCapacity)
  }

  /// Compiles, opens the audio device and starts to play; returns when the first k-cycle may come.
  ///
  /// - Throws: `EngineError` when there is no run; nothing is left behind then.
  public func start() throws(EngineError) {
    throw EngineError(.system, "The engine is not here yet.")
  }

  /// Releases all notes, lets them fade for 300 ms at most, and ends the run.
  ///
  /// Waits for the end; on PERFORM itself it only asks for it.
  public func stop() {}

  /// How the run ended, or nil while it lasts.
  public var completion: Completion? { nil }

  /// Becomes readable when the run has ended or a message waits; for an `EventPoll`.
  public var wakeDescriptor: Int32 { -1 }

  /// Gives the engine the meaning of slots from the `switch` command with its generation on.
  ///
  /// Call it before INPUT sends that command.
  public func install(_ patch: EnginePatch) {}

  /// Takes the messages that came since the last call, and does what belongs to CONTROL: frees old
  /// patches, reopens a lost device. Call it when `wakeDescriptor` is readable, and ten times a second.
  public func service() -> [EngineMessage] { [] }

  public var statistics: EngineStatistics { EngineStatistics() }

  /// The value that a slot's channel had at the last look (every few milliseconds), in the patch that plays now.
  public func channelValue(slot: Int) -> Double? { nil }

  /// The applied commands, oldest first, as many as `accountCapacity` allows.
  public var account: [AppliedCommand] { [] }
}
