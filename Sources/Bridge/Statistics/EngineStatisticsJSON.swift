import Audio
import CsoundEngine
import Events

// The names are promised to programs: add, do not rename.
extension EngineStatistics {
  /// What Csound did, and how steadily.
  var engineJSON: JSON {
    .object([
      ("rate", .integer(rate)), ("channels", .integer(channels)), ("ksmps", .integer(ksmps)),
      ("cycles", .integer(cycles)), ("load", .number(load)),
      ("worstCycle", .seconds(worstCycle)), ("worstCycleTime", sinceStart(worstCycleTime)),
      ("latency", .seconds(latency)), ("latencyFrames", .integer(latencyFrames)),
      ("latencyParts", latencyPartsJSON), ("lateCommands", .integer(lateCommands)),
      ("droppedCommands", .integer(droppedCommands)),
      ("refusedCommands", .integer(refusedCommands)),
      ("droppedMessages", .integer(droppedMessages)), ("isRealtime", .boolean(isRealtime)),
      ("serverPriority", serverPriority.map { .integer(Int($0)) } ?? .null),
      ("performThread", performThread.json),
    ])
  }

  private var latencyPartsJSON: JSON {
    .object([
      ("buffer", .seconds(latencyParts.buffer)), ("cycle", .seconds(latencyParts.cycle)),
      ("device", .seconds(latencyParts.device)), ("margin", .seconds(latencyParts.margin)),
      ("capture", latencyParts.capture.map { .seconds($0) } ?? .null),
    ])
  }

  /// How the sound fared on its way out.
  var audioJSON: JSON {
    .object([
      ("backend", .string(backend)), ("device", .string(device)), ("period", .integer(period)),
      ("periods", .integer(periods)), ("xruns", .integer(xruns)),
      ("lastXrunLength", .seconds(lastXrunLength)),
      (
        "recentXruns",
        .array(
          recentXruns.map { xrun in
            .object([("time", sinceStart(xrun.time)), ("length", .seconds(xrun.length))])
          })
      ), ("deviceLosses", .integer(deviceLosses)),
    ])
  }

  private func sinceStart(_ time: Nanoseconds) -> JSON {
    time == .none || startTime == .none ? .null : .seconds(time - startTime)
  }
}

extension JSON {
  static func seconds(_ time: Nanoseconds) -> JSON { .number(Double(time) / 1e9) }
}
