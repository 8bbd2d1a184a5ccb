public import Audio
public import Events

/// Everything that one run of the engine is made of.
public struct EngineConfiguration: Sendable {
  /// Where the orchestra and score come from.
  public enum Source: Sendable, Equatable {
    /// A CSD file.
    case file(String)
    /// The text of a CSD; `name` stands for the file in messages, relative paths in it start at `folder`.
    case text(String, name: String, folder: String)
  }

  public var source: Source
  /// Csound options of the command line; they win over those of the CSD.
  public var options: [String] = []
  public var output: AudioOutput = .automatic
  public var timing: Timing = .steady
  /// The longest time from an event to its sound, if the device can; `-b` and `-B` in `options` win over it, and
  /// it wins over those of the CSD. With `asap` it bounds the buffer.
  public var latency: Nanoseconds?
  /// Frames per period; nil takes `latency`'s, else the CSD's `-b`, or 5.3 ms in whole k-cycles.
  public var period: Int?
  /// Periods in the device's buffer; nil takes `latency`'s, else what the CSD's `-B` says, or 2.
  public var periods: Int?
  /// The meaning of slots until the first `switch`, and values that channels have before the first k-cycle.
  public var patch: EnginePatch
  /// Channels that later patches may add without a pause of the sound, for which memory is taken at the start; nil is
  /// as many as the first patch has slots, and none offline. Csound itself has room for 6000 channels in all.
  public var spareChannels: Int?
  /// Whether MIDI that a `CsoundObj` is given reaches the orchestra, whatever `-M` the CSD has.
  public var takesMIDI = false
  /// A sound file to record into from the first frame on; see `CsoundEngine.record`.
  public var recording: String?
  public var recordingFormat = RecordingFormat.int16
  /// SCHED_FIFO priority asked for; nil asks for none.
  public var priority: Int32? = 70
  /// How many applied commands to keep for `CsoundEngine.account`; 0 keeps none.
  public var accountCapacity = 0
  /// Room for commands that are on their way from INPUT, and for those that wait for their time.
  public var commandCapacity = 16384

  public init(_ source: Source, patch: EnginePatch = EnginePatch(generation: 0, slots: [])) {
    self.source = source
    self.patch = patch
  }
}
