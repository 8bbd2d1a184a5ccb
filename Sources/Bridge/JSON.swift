import Events

/// A JSON value, for what programs read of Sonde.
public indirect enum JSON: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// Infinite numbers and NaN have no JSON and become null.
  case number(Double)
  case string(String)
  case array([JSON])
  /// Members in the order in which they are printed.
  case object([(name: String, value: JSON)])

  public static func == (first: JSON, second: JSON) -> Bool { first.text == second.text }

  /// The value as text, on one line.
  public var text: String {
    switch self {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .number(let value): return value.isFinite ? value.shortestText : "null"
    case .string(let value): return JSON.quoted(value)
    case .array(let values): return "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      return "{" + members.map { JSON.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",")
        + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
