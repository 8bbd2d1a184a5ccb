public import Events

/// Every control of the language by device: one list for the checker, the reference, completions and editors.
public enum ControlTable {
  /// What a name behind a device means.
  enum Reading {
    /// One control, or the numbers of a vector.
    case controls([Control])
    case raw(ControlID)
    /// A control of the language that this version cannot read.
    case notInThisVersion
    case unknown(sentence: String, hint: String?)
  }

  public struct Entry: Sendable {
    public let name: String
    public let range: ValueRange
    /// Whether this version of Sonde has it.
    public let isWorking: Bool
  }

  /// The single controls of gamepads and motion sensors; MIDI's and raw codes are named by pattern.
  public static let all: [Entry] = Control.all.map {
    Entry(name: $0.name, range: $0.range, isWorking: isWorking($0.name))
  }

  /// The names that stand for several numbers.
  public static let vectors = pairs + motionVectors

  private static let pairs = ["left", "right"]
  private static let motionVectors = [
    "accelerometer", "gravity", "acceleration", "gyro", "magnetometer",
  ]
  private static let touchVoices = ["touches", "touches.x", "touches.y"]
  private static let gamepadNames = (Control.gamepad + Control.touch).map(\.name)
  private static let motionNames = Set(Control.motion.map(\.name))

  /// What other systems call a pad's controls.
  private static let synonyms: [String: String] = [
    "cross": "south", "circle": "east", "square": "west", "triangle": "north",
    "l1": "left.shoulder",
    "r1": "right.shoulder", "lb": "left.shoulder", "rb": "right.shoulder", "l2": "left.trigger",
    "r2": "right.trigger", "lt": "left.trigger", "rt": "right.trigger", "l3": "left.click",
    "r3": "right.click", "options": "start", "share": "capture", "home": "mode", "guide": "mode",
    "roll": "attitude.roll", "pitch": "attitude.pitch", "yaw": "attitude.yaw",
    "accel": "accelerometer",
    "gyroscope": "gyro", "touchpad": "touchpad.click", "dpad": "dpad.x",
  ]

  /// The kind of device that a reading depends on; `motion` is the undeclared name.
  enum Kind: String {
    case gamepad, imu, midi, evdev, motion
  }

  static func read(_ name: String, of kind: Kind) -> Reading {
    switch kind {
    case .midi:
      switch MIDIControls.read(name) {
      case .known: return .notInThisVersion
      case .outOfRange(let sentence): return .unknown(sentence: sentence, hint: nil)
      case .unknown: return unknown(name, kind)
      }
    case .evdev: return raw(name) ?? unknown(name, kind)
    case .gamepad, .imu, .motion: break
    }
    if kind == .gamepad {
      if pairs.contains(name) { return .controls(parts(of: name, ["x", "y"])) }
      if touchVoices.contains(name) { return .notInThisVersion }
      if let raw = raw(name) { return raw }
    }
    if motionVectors.contains(name) {
      return isWorking(name) ? .controls(parts(of: name, ["x", "y", "z"])) : .notInThisVersion
    }
    if name == "quaternion" { return .notInThisVersion }
    guard let control = Control.named(name), kind == .gamepad || motionNames.contains(name) else {
      return unknown(name, kind)
    }
    return isWorking(name) ? .controls([control]) : .notInThisVersion
  }

  private static func parts(of name: String, _ parts: [String]) -> [Control] {
    parts.compactMap { Control.named("\(name).\($0)") }
  }

  private static func raw(_ name: String) -> Reading? {
    guard let id = ControlID(rawName: name) else { return nil }
    // EV_KEY and EV_ABS hold a position; the other types of event do not.
    return [0x01, 0x03].contains(id.rawType)
      ? .raw(id)
      : .unknown(
        sentence: "`\(name)` has no position that could be a value.",
        hint: "raw controls are ABS_, BTN_ and KEY_ codes")
  }

  static func isWorking(_ name: String) -> Bool {
    !(name.hasPrefix("magnetometer") || name.hasPrefix("quaternion") || name == "attitude.yaw"
      || name == "gyro.world.yaw")
  }

  private static func names(of kind: Kind) -> [String] {
    switch kind {
    case .gamepad: gamepadNames + motionNames
    case .imu, .motion: Array(motionNames)
    case .midi: MIDIControls.examples
    case .evdev: rawNames
    }
  }

  private static let rawNames =
    EvdevCodeNames.all(type: 0x03) + EvdevCodeNames.all(type: 0x01)

  private static func unknown(_ name: String, _ kind: Kind) -> Reading {
    let owner =
      switch kind {
      case .gamepad: "A gamepad"
      case .imu: "An IMU"
      case .midi: "A MIDI device"
      case .evdev: "An evdev device"
      case .motion: "`motion`"
      }
    return .unknown(
      sentence: "\(owner) has no control `\(name)`.", hint: hint(for: name, of: kind))
  }

  private static func hint(for name: String, of kind: Kind) -> String? {
    if kind == .midi, MIDIControls.read(name.lowercased()) == .known {
      return "did you mean `\(name.lowercased())`?"
    }
    if let meant = synonyms[name.lowercased()],
      names(of: kind).contains(meant) || vectors.contains(meant)
    {
      return "it is called `\(meant)` here"
    }
    let groups = kind == .gamepad ? pairs + motionVectors + touchVoices : motionVectors
    var candidates = names(of: kind)
    if kind == .gamepad || kind == .imu || kind == .motion { candidates += groups }
    if let part = name.split(separator: ".").last, part.contains("_"), kind == .gamepad {
      let node = name.dropLast(part.count)
      candidates += rawNames.map { node + $0 }
    }
    let inside = candidates.filter { $0.hasPrefix(name + ".") }
    if !inside.isEmpty {
      return "it has parts: \(inside.prefix(4).joined(separator: ", "))"
    }
    if let meant = Suggestion.hint(for: name, in: candidates) { return meant }
    if kind != .midi, MIDIControls.read(name) == .known {
      return "`\(name)` belongs to MIDI devices"
    }
    if kind != .gamepad, Control.named(name) != nil { return "`\(name)` belongs to gamepads" }
    return nil
  }
}
