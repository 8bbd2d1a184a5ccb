import Bridge

/// `sonde trace`.
enum TraceCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    if invocation.values("map").isEmpty {
      throw UsageError(message: "'sonde trace' needs a mapping: --map FILE.")
    }
    do throws(SessionError) {
      try Trace.run(
        take: invocation.operands[0], maps: invocation.values("map"),
        line: { Terminal.output($0) }, note: { Terminal.error("sonde: \($0)") })
      return 0
    } catch {
      Terminal.error(text(of: error))
      return 1
    }
  }
}
