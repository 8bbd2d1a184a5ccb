public import Audio
public import CsoundEngine
public import Events

/// What `sonde play` is asked to do.
public struct PlayOptions: Sendable {
  public var csd: String?
  public var maps: [String] = []
  /// A take to play instead of the devices, or with them if `isLive`.
  public var take: String?
  public var isLive = false
  /// The sound file to record what is heard in, and its samples.
  public var recording: String?
  public var recordingFormat = RecordingFormat.int16
  /// Where to record the input.
  public var recordTake: String?
  public var output = AudioOutput.automatic
  public var timing = Timing.steady
  /// The longest time from a gesture to its sound, if the device can.
  public var latency: Nanoseconds?
  /// How long to play; nil plays until interrupted, or until the take or the score ends.
  public var duration: Nanoseconds?
  /// Options for Csound.
  public var csoundOptions: [String] = []
  /// How many applied commands the engine keeps, for measurements.
  public var accountCapacity = 0

  public init() {}
}
