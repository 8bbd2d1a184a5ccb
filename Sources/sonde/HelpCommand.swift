import LinuxIO

/// `sonde help`: the list of commands, the help of one, the manual page, shell completions.
enum HelpCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    if invocation.has("man") {
      StandardStream.output.write(ManualPage.text)
    } else if let shell = invocation.value("completion") {
      StandardStream.output.write(ShellCompletion.text(for: shell) ?? "")
    } else if let name = invocation.operands.first {
      guard let command = CommandSpecification.named(name) else {
        throw UsageError(message: "There is no command '\(name)'; 'sonde help' lists them.")
      }
      StandardStream.output.write(HelpText.command(command))
    } else {
      StandardStream.output.write(HelpText.overview)
    }
    return 0
  }
}
