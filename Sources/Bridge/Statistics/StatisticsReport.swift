public import CsoundEngine
import LinuxIO

/// The counts of a run, as one line and as JSON.
public struct StatisticsReport {
  private let engine: EngineStatistics
  private let session: SessionStatistics

  public init(engine: EngineStatistics, session: SessionStatistics) {
    self.engine = engine
    self.session = session
  }

  /// What a player wants to know.
  public var line: String {
    var parts = [
      "\(session.events) events", "\(engine.xruns) xruns", "\(engine.lateCommands) late",
      "load \(percentage) %",
    ]
    if session.kernelLosses > 0 { parts.append("\(session.kernelLosses) overruns in the kernel") }
    let dropped = session.droppedNotes + engine.droppedCommands
    if dropped > 0 { parts.append("\(dropped) dropped") }
    if engine.refusedCommands > 0 { parts.append("\(engine.refusedCommands) refused") }
    let disk = engine.performThread.majorFaults + session.inputThread.majorFaults
    if disk > 0 { parts.append("\(disk) waits for swapped memory") }
    return parts.joined(separator: ", ") + "."
  }

  private var percentage: Int {
    // A load that is no number, or beyond all measure, does not fit an Int.
    engine.load.isFinite ? Int((min(max(engine.load, 0), 1000) * 100).rounded()) : 0
  }

  /// What a player should know of devices, one line for each that had something to tell.
  public var deviceLines: [String] { session.devices.compactMap(\.line) }

  /// Everything that was counted, in four parts; times and lengths are in seconds, times from the start of the sound.
  public var json: JSON {
    .object([
      ("engine", engine.engineJSON), ("audio", engine.audioJSON), ("input", session.json),
      ("devices", .array(session.devices.map(\.json))),
    ])
  }
}
