/// The version of this program.
let version = "0.1.0"

/// The texts of `sonde help`, printed from the table of commands.
enum HelpText {
  /// The list of commands.
  static var overview: String {
    var text = """
      Usage: sonde COMMAND [OPTIONS]

      Turns game controllers and motion sensors into instruments, with Csound.

      Commands:

      """
    for command in CommandSpecification.all {
      text += row(command.name, command.summary, width: 10)
    }
    text += """

      'sonde help COMMAND' tells more. With nothing but a controller plugged in:
        sonde play

      """
    return text
  }

  /// The help of one command.
  static func command(_ command: CommandSpecification) -> String {
    var text = "Usage: " + wrap(command.synopsis, indent: 7) + "\n\n"
    text += wrap(command.description, indent: 0) + "\n\nOptions:\n"
    for option in command.options + CommandSpecification.everywhere {
      let name = "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
      text += row(name, option.summary, width: 24)
    }
    return text
  }

  private static func row(_ name: String, _ summary: String, width: Int) -> String {
    let gap = max(2, width - name.count)
    return "  " + name + String(repeating: " ", count: gap)
      + wrap(summary + ".", indent: 2 + name.count + gap) + "\n"
  }

  /// `text` in lines of at most 80 columns; lines after the first start with `indent` blanks.
  static func wrap(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if !line.isEmpty && indent + line.count + 1 + word.count > 80 {
        lines.append(line)
        line = String(word)
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
