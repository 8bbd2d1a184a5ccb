public import Events

/// When a command happened, and the frame at which the engine made it sound.
public struct AppliedCommand: BitwiseCopyable, Sendable, Equatable {
  public var kind: EngineCommand.Kind
  public var slot: UInt32
  public var value: Double
  public var key: Double
  /// When its cause happened.
  public var time: Nanoseconds
  /// The first frame of its k-cycle, counted from the start of the run.
  public var frame: Int64
  /// When that frame plays, by the backend's time map.
  public var frameTime: Nanoseconds
  /// From the cause to the sound, as it was then: 0 for `asap` and offline.
  public var latency: Nanoseconds
  public var wasLate: Bool

  @_noLocks
  init(
    kind: EngineCommand.Kind, slot: UInt32, value: Double, key: Double, time: Nanoseconds,
    frame: Int64, frameTime: Nanoseconds, latency: Nanoseconds, wasLate: Bool
  ) {
    self.kind = kind
    self.slot = slot
    self.value = value
    self.key = key
    self.time = time
    self.frame = frame
    self.frameTime = frameTime
    self.latency = latency
    self.wasLate = wasLate
  }
}
