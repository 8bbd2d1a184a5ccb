public import Events

/// One line of a take, as written: names are still names, nothing is resolved.
public struct TakeLine: Sendable, Equatable {
  public enum Statement: Sendable, Equatable {
    /// `sonde-take 1`
    case header(version: Int)
    /// `device pad gamepad name="…"`
    case device(name: String, DeviceDescription)
    /// `axis pad ABS_THROTTLE 0 255`
    case axis(device: String, ControlID, ValueRange)
    /// `calibration pad gyro.bias 0.001 0 -0.002`
    case calibration(device: String, key: String, values: [Double])
    /// `pad left.x 0.25`, `body accelerometer 0 0 -1`: `values` belong to `first` and the controls after it.
    case values(device: String, first: ControlID, values: [Double], sensorTime: Nanoseconds)
    /// `pad motion ax ay az gx gy gz`
    case motion(device: String, values: [Double], sensorTime: Nanoseconds)
    /// `pad touch 0 0.31 0.77`
    case touch(device: String, finger: Int, x: Double, y: Double)
    /// `pad touch 0 up`
    case touchUp(device: String, finger: Int)
    /// `keys midi 90 3c 64`
    case midi(device: String, [UInt8])
    /// `widget cutoff 440`
    case widget(name: String, value: Double)
    /// `pad lost`
    case lost(device: String)
    /// `pad unplugged`
    case unplugged(device: String)
    /// `pad plugged`
    case plugged(device: String)
    /// `raw event4 3 5 -160`, for driver tests; replay ignores it.
    case raw
  }

  /// The first column, from the start of the take; nil on lines that stand without one.
  public var time: Nanoseconds?
  public var statement: Statement

  public init(time: Nanoseconds? = nil, _ statement: Statement) {
    self.time = time
    self.statement = statement
  }
}

extension ControlID {
  /// The control that a take calls `name`: one of the language, or a raw code.
  init?(takeName name: String) {
    if let control = Control.named(name) {
      self = control.id
    } else {
      self.init(rawName: name)
    }
  }

  /// What a take calls this control, or nil for a number without a name.
  var takeName: String? { Control.numbered(self)?.name ?? rawName }

  /// What this control counts as in `controls=`: `left` for `left.x`, `gyro` for `gyro.z`, `touch` for any finger.
  var groupName: String? {
    guard let name = takeName else { return nil }
    if isRaw { return name }
    if name.hasPrefix("touch"), name != "touchpad.click" { return "touch" }
    guard let dot = name.firstIndex(of: ".") else { return name }
    switch name[name.index(after: dot)...] {
    case "x", "y", "z", "w", "length", "up", "down", "left", "right":
      return String(name[..<dot])
    default: return name
    }
  }
}
