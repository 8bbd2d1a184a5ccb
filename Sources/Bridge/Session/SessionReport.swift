public import CsoundEngine
public import Events
public import LinuxIO
public import Mapping

/// What happens while Sonde plays, for whoever shows it.
public enum SessionReport: Sendable {
  /// It plays.
  case started(Start)
  case input(InputReport)
  /// What Csound and the engine say.
  case message(EngineMessage)
  /// A sentence of Sonde's.
  case notice(String)
  /// A control moved.
  case event(ControlEvent)
  /// The end, with all counts.
  case ended(Completion, EngineStatistics, SessionStatistics)

  public struct Start: Sendable {
    public var instrument: String
    public var mapping: String
    /// Warnings and notes about the mapping.
    public var diagnostics: [Diagnostic]
    public var statistics: EngineStatistics
    /// The mapping's devices that nothing plugged in is.
    public var waiting: [String]
    /// What INPUT was granted; what PERFORM was is in `statistics`.
    public var inputThread: ThreadStatistics
  }
}

/// What passed through INPUT.
public struct SessionStatistics: Sendable {
  /// Events that reached CONTROL, and those that it did not take in time.
  public var events = 0
  public var untakenEvents = 0
  /// How often the kernel lost events (SYN_DROPPED).
  public var kernelLosses = 0
  /// Values that a newer one replaced while the engine was busy, and notes that did not start.
  public var replacedValues = 0
  public var droppedNotes = 0
  /// What INPUT was granted, and what kept it from its work.
  public var inputThread = ThreadStatistics()
  /// Whether the thread INPUT is realtime.
  public var isInputRealtime: Bool { inputThread.isRealtime }
  /// Every device that was plugged in.
  public var devices: [DeviceStatistics] = []

  public init() {}
}
