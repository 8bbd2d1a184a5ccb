/// Every kind of target of the language: one list for the checker, the reference, completions and editors.
public enum TargetTable {
  public struct Entry: Sendable {
    /// The word that it begins with; empty for a bare name.
    public let word: String
    /// How it is written.
    public let usage: String
    /// One line for the reference.
    public let summary: String
    /// The attributes that may follow.
    public let attributes: [String]
    /// Whether this version of Sonde can run it.
    public let isWorking: Bool
  }

  public static let all: [Entry] = [
    Entry(
      word: "", usage: "NAME", summary: "A widget of the mapping if there is one, else a channel.",
      attributes: [], isWorking: true),
    Entry(
      word: "channel", usage: "channel NAME", summary: "A channel, whatever else has the name.",
      attributes: [], isWorking: true),
    Entry(
      word: "widget", usage: "widget NAME", summary: "A widget.", attributes: [], isWorking: true),
    Entry(
      word: "note", usage: "note INSTR [key=K] [velocity=V]",
      summary: "A note, held while the gate is open.", attributes: ["key", "velocity"],
      isWorking: true),
    Entry(
      word: "event", usage: "event \"i 2 0 1 {value}\"",
      summary: "A score event, once each time the gate opens.", attributes: [], isWorking: false),
    Entry(
      word: "midi", usage: "midi [all] [ch=N]", summary: "MIDI straight to Csound.",
      attributes: ["ch"], isWorking: false),
    Entry(
      word: "feedback", usage: "feedback DEVICE.CONTROL [touch=CONTROL]",
      summary: "Back to a controller's LEDs and motors.", attributes: ["touch"], isWorking: false),
    Entry(
      word: "recenter", usage: "recenter DEVICE [all]",
      summary: "Makes where it points now the front.",
      attributes: [], isWorking: false),
    Entry(
      word: "panic", usage: "panic", summary: "Releases everything.", attributes: [],
      isWorking: false),
    Entry(
      word: "mute", usage: "mute", summary: "Silence while the gate is open.", attributes: [],
      isWorking: false),
  ]

  static func entry(_ word: String) -> Entry { all.first { $0.word == word } ?? all[0] }
}
