/// `sonde help`: the list of commands, the help of one, the manual page, shell completions.
enum HelpCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    if invocation.has("version") {
      print("sonde \(version)")
    } else if invocation.has("man") {
      print(ManualPage.text, terminator: "")
    } else if let shell = invocation.value("completion") {
      print(ShellCompletion.text(for: shell) ?? "", terminator: "")
    } else if let name = invocation.operands.first {
      guard let command = CommandSpecification.named(name) else {
        throw UsageError(message: "There is no command '\(name)'; 'sonde help' lists them.")
      }
      print(HelpText.command(command), terminator: "")
    } else {
      print(HelpText.overview, terminator: "")
    }
    return 0
  }
}
