/// Every stage of the language: one list for the checker, the reference, completions and editors.
public enum StageTable {
  /// Where in a line a stage may stand; later groups stand behind earlier ones.
  public enum Group: Int, Sendable, Comparable {
    /// Works on the value, in the order written.
    case event
    /// Looks at the target.
    case target
    /// Runs once a k-cycle.
    case control

    public static func < (left: Group, right: Group) -> Bool { left.rawValue < right.rawValue }
  }

  public struct Entry: Sendable {
    public let name: String
    public let group: Group
    /// One line for the reference.
    public let summary: String
    /// Whether this version of Sonde can run it.
    public let isWorking: Bool
    let shape: ArgumentShape

    /// How it is written: `deadzone d [radial]`.
    public var usage: String {
      let arguments = shape.usage
      return arguments.isEmpty ? name : "\(name) \(arguments)"
    }

    /// The words that may follow its name.
    public var words: [String] { shape.words }
  }

  /// The stage that the language calls `name`, or nil.
  public static func named(_ name: String) -> Entry? { byName[name] }

  public static let all: [Entry] = valueStages + gateStages + targetStages + controlStages

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  private static func stage(
    _ name: String, _ shape: [ArgumentShape], _ summary: String, group: Group = .event,
    works: Bool = false
  ) -> Entry {
    Entry(
      name: name, group: group, summary: summary, isWorking: works, shape: .sequence(shape))
  }

  private static func number(_ name: String) -> ArgumentShape { .value(name, .number) }
  private static func time(_ name: String) -> ArgumentShape { .value(name, .time) }
  private static let range = ArgumentShape.value("a..b", .range)
  private static func option(_ word: String, _ value: ArgumentShape) -> ArgumentShape {
    .option(.sequence([.word(word), value]))
  }

  private static let valueStages: [Entry] = [
    stage(
      "from", [range], "Limits the value to a..b, which is its range from here on.", works: true),
    stage(
      "to",
      [
        range,
        .option(.choice([.word("log"), .sequence([.word("pow"), number("n")]), .word("db")])),
      ],
      "Stretches the range to a..b: evenly, by equal ratios, by a power, or from dB to amplitude.",
      works: true),
    stage("invert", [], "Turns the range upside down.", works: true),
    stage("abs", [], "Drops the sign.", works: true),
    stage("center", [number("c")], "Makes c the middle of the range; the ends stay."),
    stage(
      "deadzone", [number("d"), .option(.word("radial"))],
      "Gives 0 near 0; beyond, the rest is stretched so that the ends stay.", works: true),
    stage(
      "curve",
      [
        .choice([
          .sequence([.word("pow"), number("n")]), .word("sine"),
          .sequence([.word("table"), .value("\"x:y …\"", .text)]),
        ])
      ], "Bends the value within its range."),
    stage(
      "quantize",
      [
        .choice([
          number("step"),
          .sequence([
            .word("scale"), .value("NAME", .scale), .word("root"), .value("KEY", .key),
          ]),
        ]), option("hysteresis", number("h")), .option(.word("hz")),
      ], "Snaps to steps, or to the keys of a musical scale."),
    stage("euro", [.value("mincutoff", .frequency), number("beta")], "Filters jitter: One Euro."),
    stage("delta", [], "Gives the difference to the value before."),
    stage("integrate", [], "Adds up over time, per second."),
    stage(
      "accumulate", [range, option("start", number("v")), .option(.word("wrap"))],
      "Adds up what comes, within a..b."),
    stage("rest", [number("v")], "The value from when the device leaves."),
    stage("latch", [], "Keeps the last value other than 0."),
  ]

  private static let gateStages: [Entry] = [
    stage(
      "threshold", [number("x"), option("hysteresis", number("h"))],
      "Gives 1 from x on, 0 again below x − h."),
    stage("is", [range], "Gives 1 inside a..b, ends included."),
    stage(
      "strike", [number("level"), option("refractory", time("t"))],
      "Gives one trigger for a blow beyond the level."),
    stage("held", [time("t")], "Gives 1 once the gate has been open for t."),
    stage("tap", [time("t")], "Gives one trigger on a release within t."),
    stage("debounce", [time("t")], "Lets a change pass at once, then none for t."),
  ]

  private static let targetStages: [Entry] = [
    stage("toggle", [], "Switches the target between its ends.", group: .target),
    stage("step", [number("n"), .option(.word("wrap"))], "Moves the target by n.", group: .target),
    stage(
      "relative",
      [
        .choice([.word("twos"), .word("offset"), .word("sign"), .word("binary")]),
        option("step", number("s")), option("accelerate", number("n")),
      ], "Moves the target by what an endless encoder says.", group: .target),
    stage(
      "pickup", [], "Waits until the control crosses the widget's value.", group: .target),
    stage("jump", [], "Moves the target at once.", group: .target),
    stage("catch", [], "Takes the target over gradually.", group: .target),
  ]

  private static let controlStages: [Entry] = [
    stage(
      "smooth", [time("t")], "Glides towards the value: 63 % in t.", group: .control, works: true),
    stage(
      "slew", [number("up"), .option(number("down"))], "Limits the speed to units a second.",
      group: .control),
  ]
}
