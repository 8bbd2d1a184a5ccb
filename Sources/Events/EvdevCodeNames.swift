/// The names of evdev codes (`ABS_THROTTLE`, `BTN_SOUTH`, `KEY_SPACE`), both ways.
///
/// A code without a name is written by number, `ABS_0x2a` or `KEY_0x2a1`, and read back so.
public enum EvdevCodeNames {
  /// The type and code that `name` stands for, or nil. Case-sensitive, as in the kernel's headers.
  public static func code(named name: String) -> (type: UInt16, code: UInt16)? {
    guard let underscore = name.firstIndex(of: "_") else { return nil }
    let prefix = String(name[..<underscore])
    guard let table = tables[prefix] else { return nil }
    let rest = String(name[name.index(after: underscore)...])
    if let code = table.codes[rest] { return (table.type, code) }
    guard rest.hasPrefix("0x"), !rest.contains("+"),
      let code = UInt16(rest.dropFirst(2), radix: 16),
      code <= table.highest
    else { return nil }
    return (table.type, code)
  }

  /// The name of a code, with a number for one that has none; nil for a type that has no names here.
  public static func name(type: UInt16, code: UInt16) -> String? {
    names[UInt32(type) << 16 | UInt32(code)]
      ?? prefixes[type].map { "\($0)_0x\(String(code, radix: 16))" }
  }

  /// All names of one type, for suggestions.
  public static func all(type: UInt16) -> [String] {
    tables.filter { $0.value.type == type }.flatMap { prefix, table in
      table.codes.keys.map { "\(prefix)_\($0)" }
    }
  }

  struct Table {
    let type: UInt16
    let highest: UInt16
    let codes: [String: UInt16]
  }

  /// Where a code has a key and a button name, the first list here wins.
  private static let sources: [(prefix: String, type: UInt16, highest: UInt16, list: String)] = [
    ("KEY", 0x01, 0x2ff, EvdevCodeTable.keys), ("BTN", 0x01, 0x2ff, EvdevCodeTable.buttons),
    ("REL", 0x02, 0x0f, EvdevCodeTable.relativeAxes),
    ("ABS", 0x03, 0x3f, EvdevCodeTable.absoluteAxes),
    ("MSC", 0x04, 0x07, EvdevCodeTable.miscellaneous),
    ("SW", 0x05, 0x11, EvdevCodeTable.switches),
  ]

  private static let prefixes: [UInt16: String] = [
    0x01: "KEY", 0x02: "REL", 0x03: "ABS", 0x04: "MSC", 0x05: "SW",
  ]

  private static let tables: [String: Table] = {
    var result: [String: Table] = [:]
    for source in sources {
      let codes = Dictionary(
        uniqueKeysWithValues: entries(of: source.list).map { ($0.name, $0.code) })
      result[source.prefix] = Table(type: source.type, highest: source.highest, codes: codes)
    }
    return result
  }()

  private static let names: [UInt32: String] = {
    var result: [UInt32: String] = [:]
    for source in sources {
      for entry in entries(of: source.list) {
        let key = UInt32(source.type) << 16 | UInt32(entry.code)
        // The first name is the usual one; later ones are its aliases.
        if result[key] == nil { result[key] = "\(source.prefix)_\(entry.name)" }
      }
    }
    return result
  }()

  /// Reads the notation of `EvdevCodeTable`: a name without `=number` has the number after the one before it.
  private static func entries(of list: String) -> [(name: String, code: UInt16)] {
    var result: [(name: String, code: UInt16)] = []
    var next: UInt16 = 0
    for word in list.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let parts = word.split(separator: "=")
      if parts.count == 2, let code = UInt16(parts[1].dropFirst(2), radix: 16) { next = code }
      result.append((String(parts[0]), next))
      next += 1
    }
    return result
  }
}

extension ControlID.Node {
  /// What stands before a raw code's name: nothing for the pad itself, `motion.` or `touchpad.` for its other nodes.
  var prefix: String {
    switch self {
    case .pad: ""
    case .motion: "motion."
    case .touchpad: "touchpad."
    }
  }
}

extension ControlID {
  /// The raw code that `name` stands for (`ABS_RZ`, `motion.ABS_RZ`, `touchpad.ABS_X`), or nil.
  public init?(rawName name: String) {
    var node = Node.pad
    var rest = name[...]
    for candidate in [Node.motion, .touchpad] where name.hasPrefix(candidate.prefix) {
      node = candidate
      rest = name.dropFirst(candidate.prefix.count)
    }
    guard let code = EvdevCodeNames.code(named: String(rest)) else { return nil }
    self = .raw(node, type: code.type, code: code.code)
  }

  /// The name of a raw code as the mapping language and takes write it, or nil for a control of the language.
  public var rawName: String? {
    guard isRaw, let name = EvdevCodeNames.name(type: rawType, code: rawCode) else { return nil }
    return rawNode.prefix + name
  }
}
