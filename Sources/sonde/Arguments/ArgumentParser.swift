/// A command line that was understood.
struct Invocation: Equatable {
  var command: String
  var options: [String: [String]] = [:]
  var operands: [String] = []
  /// What followed `--`, for Csound.
  var csoundOptions: [String] = []

  /// The last value given for option `name`, or nil.
  func value(_ name: String) -> String? { options[name]?.last }

  /// All values given for option `name`.
  func values(_ name: String) -> [String] { options[name] ?? [] }

  /// Whether option `name` was given.
  func has(_ name: String) -> Bool { options[name] != nil }
}

/// A command line that was not understood: what is wrong and what to do.
struct UsageError: Error, Equatable {
  let message: String
}

/// Parses a command line in GNU spelling; pure, so that every case can be tested.
struct ArgumentParser {
  /// The invocation that `arguments` (without the program's name) ask for; nothing means help.
  static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    guard let first = arguments.first else { return Invocation(command: "help") }
    if first == "--help" || first == "-h" { return Invocation(command: "help") }
    if first == "--version" { return Invocation(command: "help", options: ["version": [""]]) }
    guard let command = CommandSpecification.named(first) else {
      let hint = closest(to: first, in: CommandSpecification.all.map(\.name))
      let kind = first.hasPrefix("-") ? "option" : "command"
      throw UsageError(
        message: "There is no \(kind) '\(first)'"
          + (hint.map { "; did you mean '\($0)'?" } ?? "; 'sonde help' lists the commands."))
    }
    return try parse(Array(arguments.dropFirst()), for: command)
  }

  private static func parse(
    _ arguments: [String], for command: CommandSpecification
  ) throws(UsageError) -> Invocation {
    var invocation = Invocation(command: command.name)
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        let rest = arguments[index...]
        if command.takesCsoundOptions {
          invocation.csoundOptions += rest
        } else {
          invocation.operands += rest
        }
        break
      }
      if argument == "-h" {
        invocation.options["help"] = [""]
      } else if argument.hasPrefix("--") {
        try parseOption(argument, arguments, &index, command, &invocation)
      } else if argument.hasPrefix("-") && argument != "-" {
        throw UsageError(
          message: "There is no option '\(argument)' of 'sonde \(command.name)'"
            + (command.takesCsoundOptions ? "; options for Csound follow '--'." : "."))
      } else {
        invocation.operands.append(argument)
      }
    }
    if invocation.has("help") || invocation.has("version") { return invocation }
    if invocation.operands.count < command.operandCount.lowerBound {
      throw UsageError(message: "'sonde \(command.name)' needs \(command.operands).")
    }
    if invocation.operands.count > command.operandCount.upperBound {
      let surplus = invocation.operands[command.operandCount.upperBound]
      throw UsageError(message: "'sonde \(command.name)' has no use for '\(surplus)'.")
    }
    return invocation
  }

  private static func parseOption(
    _ argument: String, _ arguments: [String], _ index: inout Int,
    _ command: CommandSpecification, _ invocation: inout Invocation
  ) throws(UsageError) {
    let body = argument.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    guard let option = command.option(named: name) else {
      let known = (command.options + CommandSpecification.everywhere).map(\.name)
      throw UsageError(
        message: "There is no option '--\(name)' of 'sonde \(command.name)'"
          + (closest(to: name, in: known).map { "; did you mean '--\($0)'?" } ?? "."))
    }
    var value = body.count > name.count ? String(body.dropFirst(name.count + 1)) : nil
    if let placeholder = option.placeholder {
      if value == nil && index < arguments.count && arguments[index] != "--" {
        value = arguments[index]
        index += 1
      }
      guard let value, !value.isEmpty else {
        throw UsageError(message: "'--\(name)' needs a value: --\(name) \(placeholder).")
      }
      if case .words(let words) = option.value, !words.contains(value) {
        throw UsageError(
          message: "'--\(name)' is one of \(words.joined(separator: ", ")), not '\(value)'.")
      }
      if !option.isRepeatable && invocation.has(name) {
        throw UsageError(message: "'--\(name)' was given twice.")
      }
      invocation.options[name, default: []].append(value)
    } else {
      if value != nil { throw UsageError(message: "'--\(name)' takes no value.") }
      invocation.options[name] = [""]
    }
  }

  /// The candidate within two edits of `word`, if there is one.
  private static func closest(to word: String, in candidates: [String]) -> String? {
    candidates.map { ($0, distance(word, $0)) }.filter { $0.1 <= 2 && $0.1 < word.count }
      .min { $0.1 < $1.1 }?.0
  }

  /// The Levenshtein distance of two words.
  private static func distance(_ first: String, _ second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in target.indices {
        let substitution = diagonal + (letter == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[target.count]
  }
}
