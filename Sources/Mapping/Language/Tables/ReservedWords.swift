/// The words that are no names unless they are quoted.
enum ReservedWords {
  static let statements = ["csd", "include", "device", "widget", "layer"]
  static let deviceKinds = ["gamepad", "imu", "midi", "evdev"]
  static let targets = [
    "note", "event", "midi", "feedback", "recenter", "panic", "mute", "channel", "widget",
  ]

  static let all = Set(statements + deviceKinds + targets + ["all"])
}
