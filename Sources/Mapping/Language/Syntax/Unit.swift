/// A unit that is glued to a number.
enum Unit: String, Sendable, CaseIterable {
  case milliseconds = "ms"
  case seconds = "s"
  case hertz = "Hz"
  case decibels = "dB"
  case degrees = "deg"
  case gravity = "g"

  /// What a number of this unit is multiplied by to be in the base unit: seconds for times, radians for angles.
  var factor: Double {
    switch self {
    case .milliseconds: 0.001
    case .degrees: Double.pi / 180
    default: 1
    }
  }

  var isTime: Bool { self == .milliseconds || self == .seconds }
}
