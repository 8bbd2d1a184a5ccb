import Audio
public import CsoundEngine

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
    return parts.joined(separator: ", ") + "."
  }

  private var percentage: Int {
    // A load that is no number, or beyond all measure, does not fit an Int.
    engine.load.isFinite ? Int((min(max(engine.load, 0), 1000) * 100).rounded()) : 0
  }

  /// Everything that was counted; times in seconds.
  public var json: JSON {
    .object([
      ("backend", .string(engine.backend)), ("device", .string(engine.device)),
      ("rate", .integer(engine.rate)), ("channels", .integer(engine.channels)),
      ("ksmps", .integer(engine.ksmps)), ("period", .integer(engine.period)),
      ("periods", .integer(engine.periods)), ("cycles", .integer(engine.cycles)),
      ("latency", .number(Double(engine.latency) / 1e9)),
      ("latencyFrames", .integer(engine.latencyFrames)), ("latencyParts", latencyParts),
      ("xruns", .integer(engine.xruns)),
      ("lastXrunLength", .number(Double(engine.lastXrunLength) / 1e9)),
      ("deviceLosses", .integer(engine.deviceLosses)),
      ("lateCommands", .integer(engine.lateCommands)),
      ("droppedCommands", .integer(engine.droppedCommands)),
      ("refusedCommands", .integer(engine.refusedCommands)),
      ("load", .number(engine.load)), ("worstCycle", .number(Double(engine.worstCycle) / 1e9)),
      ("isRealtime", .boolean(engine.isRealtime)), ("events", .integer(session.events)),
      ("untakenEvents", .integer(session.untakenEvents)),
      ("kernelLosses", .integer(session.kernelLosses)),
      ("replacedValues", .integer(session.replacedValues)),
      ("droppedNotes", .integer(session.droppedNotes)),
    ])
  }

  private var latencyParts: JSON {
    func seconds(_ time: Int64) -> JSON { .number(Double(time) / 1e9) }
    let parts = engine.latencyParts
    return .object([
      ("buffer", seconds(parts.buffer)), ("cycle", seconds(parts.cycle)),
      ("device", seconds(parts.device)), ("margin", seconds(parts.margin)),
    ])
  }
}
