import LinuxIO

/// Exit status: 0 done, 1 failed, 2 wrong command line.
func runCommand() -> Int32 {
  do throws(UsageError) {
    let invocation = try ArgumentParser.parse(Array(CommandLine.arguments.dropFirst()))
    if invocation.has("help"), let command = CommandSpecification.named(invocation.command) {
      StandardStream.output.write(HelpText.command(command))
      return 0
    }
    if invocation.has("version") {
      Terminal.output("sonde \(version)")
      return 0
    }
    switch invocation.command {
    case "play": return try PlayCommand.run(invocation)
    case "render": return try RenderCommand.run(invocation)
    case "trace": return try TraceCommand.run(invocation)
    case "record": return try RecordCommand.run(invocation)
    case "devices": return try DevicesCommand.run(invocation)
    case "check": return try CheckCommand.run(invocation)
    case "doctor": return DoctorCommand.run()
    default: return try HelpCommand.run(invocation)
    }
  } catch {
    Terminal.error("sonde: \(error.message)")
    return 2
  }
}

ignoreWriteSignals()
let status = runCommand()
if let failure = StandardStream.outputFailure {
  Terminal.error("sonde: Standard output could not be written: \(failure).")
  exitProcess(status == 0 ? 1 : status)
}
exitProcess(status)
