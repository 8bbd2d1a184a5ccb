internal import Events
internal import Widgets

/// One line, compiled.
struct RouteEntry: BitwiseCopyable {
  var control: ControlID
  /// The pair's other control where a stage needs both, else `control`.
  var sibling: ControlID
  var isPair: Bool
  /// Whether the control is pressed and released, and so returns to 0 when its device leaves.
  var isButton: Bool
  var hasNotes: Bool
  var device: Int32
  var state: Int32
  var firstStage: Int32
  var stageCount: Int32
  var firstTarget: Int32
  var targetCount: Int32
  /// The range of the values that leave the last stage.
  var range: ValueRange

  /// Whether `control` is the line's own, not the sibling of a pair.
  @_noLocks
  func listens(to control: ControlID) -> Bool { self.control.rawValue == control.rawValue }
}

/// One target of a line, compiled.
struct TargetEntry: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    case channel
    /// A widget in its own units.
    case widgetUnits
    /// A widget that the line's range is scaled into.
    case widgetScaled
    /// A widget that is 1 while the gate is open.
    case widgetGate
    case note
  }

  var kind: Kind
  var slot: Int32
  /// The first slot of the same channel: there the channel's value is kept, whichever slot it came through.
  var cell: Int32
  var widget: Int32
  /// The key of a note.
  var key: Double
  /// The velocity of a note, NaN to take it from the value.
  var velocity: Double

  // Patterns, because the compiler's own `==` is closed to the INPUT thread.
  var isNote: Bool { @_noLocks get { if case .note = kind { true } else { false } } }
  var isGateWidget: Bool { @_noLocks get { if case .widgetGate = kind { true } else { false } } }
}

/// What a slot remembers from one event to the next, and from one generation to the next.
struct SlotState: BitwiseCopyable {
  /// The value that the channel has by the last event (in its cell), or the key of the note that is held; NaN for none.
  var value = Double.nan
  var time: Nanoseconds = 0
  /// The slot that the channel's last value went through.
  var lastSlot: Int32 = -1
  /// Whether the value waits for room in the ring.
  var waits = false

  @_noLocks init() {}

  var isHeld: Bool { @_noLocks get { value == value } }
}

/// What a line remembers from one event to the next, and from one generation to the next.
struct RouteState: BitwiseCopyable {
  var gateIsOpen = false

  @_noLocks init() {}
}

/// The flat arrays of a program, as the INPUT thread walks them. Owned by the program.
struct ProgramTables: BitwiseCopyable {
  var generation: Int
  var routes: UnsafeMutablePointer<RouteEntry>
  var routeCount: Int
  var stages: UnsafeMutablePointer<CompiledStage>
  var targets: UnsafeMutablePointer<TargetEntry>
  /// The lines of device n are those from `deviceStarts[n]` to before `deviceStarts[n + 1]`.
  var deviceStarts: UnsafeMutablePointer<Int32>
  var deviceSerials: UnsafeMutablePointer<UInt64>
  var derived: UnsafeMutablePointer<DerivedControls>
  var deviceCount: Int
  var listeners: ListenerIndex

  var slotStates: UnsafeMutablePointer<SlotState>
  var slotSerials: UnsafeMutablePointer<UInt64>
  var slotIsNote: UnsafeMutablePointer<Bool>
  var slotCount: Int
  /// Room for the numbers of all slots whose values wait.
  var waiting: UnsafeMutablePointer<Int32>
  var routeStates: UnsafeMutablePointer<RouteState>
  var routeSerials: UnsafeMutablePointer<UInt64>
  var routeStateCount: Int

  var widgets: WidgetCells
  /// The slots of the widgets' own channels.
  var widgetSlots: UnsafeMutablePointer<Int32>
  var widgetSerials: UnsafeMutablePointer<UInt64>
  /// Where the widgets were in the program before, −1 for new ones: a hint, to be checked by the serials.
  var widgetOrigins: UnsafeMutablePointer<Int32>
  var widgetCount: Int
}
