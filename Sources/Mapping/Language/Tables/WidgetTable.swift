/// The kinds of widgets and their attributes.
public enum WidgetTable {
  public struct Kind: Sendable {
    public let name: String
    /// One line for the reference.
    public let summary: String
    /// Whether this version of Sonde has it.
    public let isWorking: Bool
    /// Whether routes can send to it.
    public let isTarget: Bool
  }

  public static let kinds: [Kind] = [
    kind("slider", "A value between min and max.", works: true),
    kind("knob", "A value between min and max, drawn round."),
    kind("button", "1 while pressed, else 0.", works: true),
    kind("momentary", "One pulse of 1 for each press."),
    kind("switch", "1 or 0."),
    kind("number", "A value to type in."),
    kind("label", "Shows its channel.", isTarget: false),
    kind("xy", "Two values, NAME.x and NAME.y."),
    kind("keyboard", "Keys to play."),
    kind("meter", "Shows a level.", isTarget: false),
  ]

  public static let attributes = [
    "min", "max", "default", "step", "scale", "merge", "takeover",
  ]
  static let scales = ["linear", "log"]
  static let merges = ["last", "sum", "max", "avg"]
  static let takeovers = ["jump", "pickup", "catch"]

  static func named(_ name: String) -> Kind? { kinds.first { $0.name == name } }

  private static func kind(
    _ name: String, _ summary: String, works: Bool = false, isTarget: Bool = true
  ) -> Kind {
    Kind(name: name, summary: summary, isWorking: works, isTarget: isTarget)
  }
}
