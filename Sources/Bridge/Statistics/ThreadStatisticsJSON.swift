import LinuxIO

// The names are promised to programs: add, do not rename.
extension ThreadStatistics {
  /// What the thread was granted, and what kept it from its work.
  var json: JSON {
    let granted: [(name: String, value: JSON)] =
      switch scheduling {
      case .realtime(let priority, by: .limits):
        [("granted", .string("limits")), ("priority", .integer(Int(priority)))]
      case .realtime(let priority, by: .realtimeKit):
        [("granted", .string("RealtimeKit")), ("priority", .integer(Int(priority)))]
      case .normal: [("granted", .string("not asked"))]
      case .refused(let reason): [("granted", .string("refused")), ("reason", .string(reason))]
      }
    return .object(
      granted + [
        ("isRealtime", .boolean(isRealtime)), ("measured", .seconds(time)),
        ("minorFaults", .integer(minorFaults)), ("majorFaults", .integer(majorFaults)),
        ("waits", .integer(waits)), ("preemptions", .integer(preemptions)),
      ])
  }
}
