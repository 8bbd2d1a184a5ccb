import Events

// The names are promised to programs: add, do not rename.
extension SessionStatistics {
  /// What passed through INPUT.
  var json: JSON {
    .object([
      ("events", .integer(events)), ("untakenEvents", .integer(untakenEvents)),
      ("kernelLosses", .integer(kernelLosses)), ("replacedValues", .integer(replacedValues)),
      ("droppedNotes", .integer(droppedNotes)), ("isInputRealtime", .boolean(isInputRealtime)),
      ("inputThread", inputThread.json),
    ])
  }
}

extension DeviceStatistics {
  var json: JSON {
    .object([
      ("name", .string(name.printable)), ("model", model.map { .string($0) } ?? .null),
      ("identity", .string(identity.printable)),
      ("names", .array(names.map { .string($0) })), ("isPlugged", .boolean(isPlugged)),
      ("plugCount", .integer(plugCount)), ("nodes", .array(nodes.map(\.json))),
    ])
  }
}

extension DeviceStatistics.Node {
  var json: JSON {
    .object([
      ("role", .string(role)), ("reports", .integer(counts.reports)),
      ("reportsPerSecond", .number(counts.rate)), ("jitter", .number(counts.jitter)),
      ("steadyJitter", .number(counts.steadyJitter)),
      ("meanLateness", .number(counts.meanLateness)),
      ("worstLateness", .seconds(counts.worstLateness)), ("overruns", .integer(counts.overruns)),
      ("lostSamples", .integer(counts.lostSamples)),
      (
        "clock",
        counts.clock.map { clock in
          .object([
            ("delay", .seconds(clock.delay)), ("drift", .number(clock.drift)),
            ("restarts", .integer(clock.restarts)),
          ])
        } ?? .null
      ),
    ])
  }
}
