public import Events

/// One line of a mapping after everything in it was resolved: a single number from a control through stages to targets.
public struct RouteDescription: Sendable, Equatable {
  /// Where a line was written.
  public struct Line: Sendable, Hashable {
    public var file: String
    /// Counts from 1.
    public var number: Int

    public init(file: String, number: Int) {
      self.file = file
      self.number = number
    }
  }

  /// Source, stage names and targets: what makes it the same line after a reload, whatever its numbers are.
  public var identity: String
  /// An index into the mapping's devices.
  public var device: Int
  public var control: ControlID
  /// The control's range, before the stages.
  public var range: ValueRange
  /// Whether the control's values are radians.
  public var isAngle: Bool
  public var stages: [Stage]
  public var targets: [TargetDescription]
  /// Whether Sonde added the line by itself (the standard channels); such lines do not show in traces.
  public var isImplicit: Bool
  public var line: Line?

  public init(
    identity: String, device: Int, control: ControlID, range: ValueRange, isAngle: Bool = false,
    stages: [Stage] = [], targets: [TargetDescription], isImplicit: Bool = false, line: Line? = nil
  ) {
    self.identity = identity
    self.device = device
    self.control = control
    self.range = range
    self.isAngle = isAngle
    self.stages = stages
    self.targets = targets
    self.isImplicit = isImplicit
    self.line = line
  }
}

/// Where a line's value or gate goes.
public enum TargetDescription: Sendable, Equatable {
  /// An index into the mapping's widgets.
  case widget(Int)
  /// A control channel of the orchestra.
  case channel(String)
  /// A note that is held while the gate is open: `instrument` is a number or a name, `velocity` replaces the value's own.
  case note(instrument: String, key: Double = 60, velocity: Double? = nil)
}
