/// Shell completions, printed from the table of commands.
enum ShellCompletion {
  /// The completions of `shell` (bash, zsh or fish), or nil for another.
  static func text(for shell: String) -> String? {
    switch shell {
    case "bash": return bash
    case "zsh": return zsh
    case "fish": return fish
    default: return nil
    }
  }

  private static func options(of command: CommandSpecification) -> [OptionSpecification] {
    command.options + CommandSpecification.everywhere
  }

  private static var bash: String {
    var text = """
      # Completions of sonde for bash.
      _sonde() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(CommandSpecification.all.map(\.name).joined(separator: " "))" -- "$current"))
          return
        fi
        case "${COMP_WORDS[1]} $previous" in

      """
    for command in CommandSpecification.all {
      for option in command.options where option.placeholder != nil {
        text += "    \"\(command.name) --\(option.name)\") \(bashValue(option.value)) ;;\n"
      }
    }
    text += "  esac\n  case ${COMP_WORDS[1]} in\n"
    for command in CommandSpecification.all {
      let words = options(of: command).map { "--\($0.name)" }.joined(separator: " ")
      text += """
            \(command.name))
              if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "\(words)" -- "$current"))
              else \(bashValue(command.operandValue).replacing(" return", with: ""))
              fi ;;

        """
    }
    return text + "  esac\n}\ncomplete -o filenames -F _sonde sonde\n"
  }

  private static func bashValue(_ value: ArgumentValue) -> String {
    switch value {
    // A name with blanks is one word.
    case .file: return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return"
    case .words(let words):
      return "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")); return"
    case .text: return "COMPREPLY=(); return"
    }
  }

  private static var zsh: String {
    var text =
      "#compdef sonde\n# Completions of sonde for zsh.\n\n_sonde() {\n  local -a commands\n"
    text += "  commands=(\n"
    for command in CommandSpecification.all {
      text += "    '\(command.name):\(quote(command.summary))'\n"
    }
    text += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
    text += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n"
    for command in CommandSpecification.all {
      text += "    \(command.name))\n      _arguments"
      for option in options(of: command) {
        let star = option.isRepeatable ? "*" : ""
        let value = option.placeholder.map { ":\($0.replacing("|", with: " or "))" } ?? ""
        let action = option.placeholder == nil ? "" : ":" + zshAction(option.value)
        text += " \\\n        '\(star)--\(option.name)[\(quote(option.summary))]\(value)\(action)'"
      }
      if command.operandCount.upperBound > 0 {
        text += " \\\n        '*:operand:\(zshAction(command.operandValue))'"
      }
      text += " ;;\n"
    }
    return text + "  esac\n}\n\n_sonde \"$@\"\n"
  }

  private static func zshAction(_ value: ArgumentValue) -> String {
    switch value {
    case .file(let extensions): return "_files -g \"*.(\(extensions.joined(separator: "|")))\""
    case .words(let words): return "(\(words.joined(separator: " ")))"
    case .text: return " "
    }
  }

  private static var fish: String {
    var text = "# Completions of sonde for fish.\ncomplete -c sonde -f\n"
    for command in CommandSpecification.all {
      text += "complete -c sonde -n __fish_use_subcommand -a \(command.name)"
      text += " -d '\(quote(command.summary))'\n"
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      for option in options(of: command) {
        text += "complete -c sonde \(condition) -l \(option.name) -d '\(quote(option.summary))'"
        if option.placeholder != nil { text += " -x\(fishValue(option.value))" }
        text += "\n"
      }
      if command.operandCount.upperBound > 0 {
        text += "complete -c sonde \(condition)\(fishValue(command.operandValue))\n"
      }
    }
    return text
  }

  private static func fishValue(_ value: ArgumentValue) -> String {
    switch value {
    case .file(let extensions):
      let suffixes = extensions.map { "(__fish_complete_suffix .\($0))" }
      return " -a '\(suffixes.joined(separator: " "))'"
    case .words(let words): return " -a '\(words.joined(separator: " "))'"
    case .text: return ""
    }
  }

  /// `text` for use inside single quotes and zsh's brackets.
  private static func quote(_ text: String) -> String {
    text.replacing("'", with: "").replacing("[", with: "(").replacing("]", with: ")")
      .replacing(":", with: ",")
  }
}
