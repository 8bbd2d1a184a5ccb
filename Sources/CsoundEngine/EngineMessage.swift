/// One whole line that Csound or the engine had to say.
public struct EngineMessage: Sendable, Equatable {
  public enum Kind: Sendable {
    case normal
    case warning
    case error
    /// What the orchestra prints.
    case orchestra
    /// A sentence of Sonde's own about the run (a lost device, an unknown instrument).
    case notice
  }

  public var kind: Kind
  public var text: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
