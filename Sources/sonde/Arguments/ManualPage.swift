/// The manual page in roff, printed from the table of commands.
enum ManualPage {
  static var text: String {
    var page = """
      .TH SONDE 1 "" "sonde \(version)" "User Commands"
      .SH NAME
      sonde \\- turn game controllers and motion sensors into instruments
      .SH SYNOPSIS
      .B sonde
      .I COMMAND
      .RI [ OPTIONS ]
      .SH DESCRIPTION
      Sonde reads game controllers and motion sensors, routes them by a mapping file to the channels
      and notes of a Csound instrument, and plays it.
      Devices may be plugged in and out at any time.
      .SH COMMANDS

      """
    for command in CommandSpecification.all {
      page += ".SS \(escape(command.synopsis))\n\(escape(command.summary)).\n"
      page += "\(escape(command.description))\n"
      for option in command.options {
        let placeholder = option.placeholder.map { " \\fI\(escape($0))\\fR" } ?? ""
        page += ".TP\n\\fB\\-\\-\(escape(option.name))\\fR\(placeholder)\n"
        page += "\(escape(option.summary)).\n"
      }
    }
    page += """
      .SH EXIT STATUS
      0 when the work is done, 1 when it failed, 2 when the command line was wrong.
      .SH FILES
      .TP
      .I $XDG_CONFIG_HOME/sonde/default.map
      The mapping that is used where neither the command line nor the CSD brings one.
      .SH ENVIRONMENT
      .TP
      .B NO_COLOR
      Print without colour.

      """
    return page
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "…": escaped += "..."
      case "'" where escaped.isEmpty, "." where escaped.isEmpty: escaped += "\\&\(character)"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
