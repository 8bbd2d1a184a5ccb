func run() throws(UsageError) -> Int32 {
  let invocation = try ArgumentParser.parse(Array(CommandLine.arguments.dropFirst()))
  if invocation.has("help"), let command = CommandSpecification.named(invocation.command) {
    print(HelpText.command(command), terminator: "")
    return 0
  }
  return try HelpCommand.run(invocation)
}

do throws(UsageError) {
  let status = try run()
  if status != 0 { print("") }
} catch {
  print(error.message)
}
