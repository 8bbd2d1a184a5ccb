public import Audio
public import Events
public import LinuxIO

/// How a run is doing; a snapshot.
public struct EngineStatistics: Sendable, Equatable {
  /// A gap in the sound.
  public struct Xrun: Sendable, Equatable {
    /// When it was noticed, and how long it was.
    public var time: Nanoseconds
    public var length: Nanoseconds

    public init(time: Nanoseconds, length: Nanoseconds) {
      self.time = time
      self.length = length
    }
  }

  /// How many xruns are kept.
  public static let xrunCapacity = 16

  /// When the run began to play, or `.none`.
  public var startTime = Nanoseconds.none
  /// Which backend plays now: `alsa`, `jack`, `none` (also while a device is away) or `offline`.
  public var backend = ""
  /// The device that plays, or empty.
  public var device = ""
  /// Frames per second.
  public var rate = 0
  public var channels = 0
  /// Frames per k-cycle.
  public var ksmps = 0
  public var period = 0
  public var periods = 0
  /// k-cycles computed.
  public var cycles = 0
  public var xruns = 0
  /// When the last xrun was noticed, and how long the gap was.
  public var lastXrunTime = Nanoseconds.none
  public var lastXrunLength: Nanoseconds = 0
  /// The last ones, oldest first, as far as `CsoundEngine.service` has seen them.
  public var recentXruns: [Xrun] = []
  /// The frame of the run at which the device's own position was last 0: at the start, and after each xrun; below 0
  /// where the device began with silence.
  public var deviceOrigin: Int64 = 0
  /// How often the sound of a capture device with a clock of its own was interrupted.
  public var captureGaps = 0
  /// How often the device was lost.
  public var deviceLosses = 0
  /// Commands that were applied after their time.
  public var lateCommands = 0
  /// Commands refused because a queue was full.
  public var droppedCommands = 0
  /// Values refused because they were not finite, and notes of instruments that do not exist.
  public var refusedCommands = 0
  /// Pieces of Csound's messages that were lost because nobody took them in time.
  public var droppedMessages = 0
  /// The share of real time that computing takes, 0…1, smoothed over about a second.
  public var load = 0.0
  /// The longest k-cycle so far.
  public var worstCycle: Nanoseconds = 0
  /// When it began.
  public var worstCycleTime = Nanoseconds.none
  /// From an event to its sound, steady timing; 0 for `asap`.
  public var latency: Nanoseconds = 0
  public var latencyFrames = 0
  /// What `latency` is made of; with `asap` the buffer's part of what an event waits at most.
  public var latencyParts = LatencyParts()
  /// Notes that are held.
  public var heldNotes = 0
  /// What PERFORM was granted, and what kept it from its work. As `service` saw it last.
  public var performThread = ThreadStatistics()
  /// Whether PERFORM is realtime.
  public var isRealtime: Bool { performThread.isRealtime }
  /// The SCHED_FIFO priority that PERFORM took over from its sound server (JACK), or nil.
  public var serverPriority: Int32?

  public init() {}
}
