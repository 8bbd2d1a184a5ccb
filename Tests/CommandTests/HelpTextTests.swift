import Testing

@testable import sonde

/// A user who reads help, the manual page or completes a word misses nothing that the parser knows.
@Suite struct HelpTextTests {
  @Test(arguments: CommandSpecification.all.map(\.name))
  func everyOptionIsInHelpManualAndCompletions(name: String) throws {
    let command = try #require(CommandSpecification.named(name))
    let help = HelpText.command(command)
    #expect(HelpText.overview.contains("\n  \(name)"))
    let manual = ManualPage.text
    for option in command.options {
      #expect(help.contains("--\(option.name)"))
      #expect(
        manual.contains("\\-\\-\(option.name.split(separator: "-").joined(separator: "\\-"))"))
      #expect(ShellCompletion.text(for: "bash")!.contains("--\(option.name)"))
      #expect(ShellCompletion.text(for: "zsh")!.contains("--\(option.name)["))
      #expect(ShellCompletion.text(for: "fish")!.contains("-l \(option.name) "))
    }
  }

  @Test func linesFitATerminal() {
    for text in CommandSpecification.all.map(HelpText.command) + [HelpText.overview] {
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func whatMustBeGivenStandsWithoutBrackets() {
    #expect(CommandSpecification.named("trace")?.synopsis == "sonde trace TAKE --map FILE…")
    #expect(
      CommandSpecification.named("render")?.synopsis.contains("[CSD] ") == true)
    #expect(
      CommandSpecification.named("render")?.synopsis.contains(" --output FILE ") == true)
  }

  @Test func unknownShellsHaveNoCompletions() {
    #expect(ShellCompletion.text(for: "tcsh") == nil)
  }
}
