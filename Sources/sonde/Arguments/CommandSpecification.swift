/// What an argument may be, so that a shell can complete it.
enum ArgumentValue {
  case file(extensions: [String])
  case words([String])
  case text
}

/// One option of a command, in GNU spelling.
struct OptionSpecification {
  /// The long name without its dashes.
  let name: String
  /// The placeholder of its value (`FILE`), or nil for a switch.
  let placeholder: String?
  let value: ArgumentValue
  let isRepeatable: Bool
  /// Whether the command cannot do without it.
  let isRequired: Bool
  /// A sentence without its full stop.
  let summary: String

  /// A switch.
  init(_ name: String, _ summary: String) {
    self.name = name
    self.placeholder = nil
    self.value = .text
    self.isRepeatable = false
    self.isRequired = false
    self.summary = summary
  }

  /// An option with a value.
  init(
    _ name: String, _ placeholder: String, _ value: ArgumentValue,
    repeatable: Bool = false, required: Bool = false, _ summary: String
  ) {
    self.name = name
    self.placeholder = placeholder
    self.value = value
    self.isRepeatable = repeatable
    self.isRequired = required
    self.summary = summary
  }
}

/// One subcommand: the single source of its parser, help, manual page and shell completions.
struct CommandSpecification {
  let name: String
  /// What stands for the operands in the synopsis (`[CSD]`).
  let operands: String
  let operandCount: ClosedRange<Int>
  let operandValue: ArgumentValue
  let summary: String
  let description: String
  let options: [OptionSpecification]
  /// Whether what follows `--` goes to Csound.
  var takesCsoundOptions = false

  var synopsis: String {
    var words = ["sonde", name]
    if !operands.isEmpty { words.append(operands) }
    words += options.map { option in
      let word = option.placeholder.map { "--\(option.name) \($0)" } ?? "--\(option.name)"
      return (option.isRequired ? word : "[\(word)]") + (option.isRepeatable ? "…" : "")
    }
    if takesCsoundOptions { words.append("[-- CSOUND OPTIONS]") }
    return words.joined(separator: " ")
  }

  func option(named name: String) -> OptionSpecification? {
    (options + CommandSpecification.everywhere).first { $0.name == name }
  }

  /// Options that every command has.
  static let everywhere = [
    OptionSpecification("help", "Print this help and exit"),
    OptionSpecification("version", "Print the version and exit"),
  ]

  static func named(_ name: String) -> CommandSpecification? { all.first { $0.name == name } }
}
