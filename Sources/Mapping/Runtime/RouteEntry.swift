internal import Events

/// One line as one control's event meets it, compiled: all that a plain line needs lies in one cache line of 64 bytes.
///
/// A line with a pair's stage has one entry for each of its two controls.
struct RouteEntry: BitwiseCopyable {
  /// Whose events the entry listens to.
  var listened: ControlID
  /// The program's device, −1 where no line listens.
  var device: Int32 = -1
  /// The pair's other control where a stage needs both, else `listened`.
  var other: ControlID
  var firstStage: Int32 = 0
  var stageCount: Int32 = 0
  private var flagsAndCount: UInt32 = 0
  /// Where the targets after the first are.
  var moreTargets: Int32 = 0
  /// The next entry that listens to the same control, 0 for none.
  var next: Int32 = 0
  /// Meaningless in a line without targets.
  var firstTarget = TargetEntry()
  /// What is remembered of a channel of which this is the first line.
  var slotState = SlotState()

  init(_ listened: ControlID, other: ControlID) {
    self.listened = listened
    self.other = other
  }

  private static var pairFlag: UInt32 { @_noLocks get { 1 } }
  private static var buttonFlag: UInt32 { @_noLocks get { 2 } }
  private static var notesFlag: UInt32 { @_noLocks get { 4 } }
  private static var siblingFlag: UInt32 { @_noLocks get { 8 } }

  private mutating func setFlag(_ flag: UInt32, _ isSet: Bool) {
    flagsAndCount = isSet ? flagsAndCount | flag : flagsAndCount & ~flag
  }

  var targetCount: Int {
    @_noLocks get { Int(flagsAndCount >> 4) }
    set { flagsAndCount = flagsAndCount & 15 | UInt32(newValue) << 4 }
  }

  /// Whether a stage needs both controls of a pair.
  var isPair: Bool {
    @_noLocks get { flagsAndCount & RouteEntry.pairFlag != 0 }
    set { setFlag(RouteEntry.pairFlag, newValue) }
  }

  /// Whether the line's control is pressed and released, and so returns to 0 when its device leaves.
  var isButton: Bool {
    @_noLocks get { flagsAndCount & RouteEntry.buttonFlag != 0 }
    set { setFlag(RouteEntry.buttonFlag, newValue) }
  }

  var hasNotes: Bool {
    @_noLocks get { flagsAndCount & RouteEntry.notesFlag != 0 }
    set { setFlag(RouteEntry.notesFlag, newValue) }
  }

  /// Whether what it listens to is not the line's own control, but the sibling.
  var isSibling: Bool {
    @_noLocks get { flagsAndCount & RouteEntry.siblingFlag != 0 }
    set { setFlag(RouteEntry.siblingFlag, newValue) }
  }

  /// The line's own control.
  var control: ControlID { @_noLocks get { isSibling ? other : listened } }
}

/// One target of a line, compiled.
struct TargetEntry: BitwiseCopyable {
  enum Kind: UInt32 {
    case channel
    /// A widget in its own units.
    case widgetUnits
    /// A widget that the line's range is scaled into.
    case widgetScaled
    /// A widget that is 1 while the gate is open.
    case widgetGate
    case note
  }

  var slot: Int32 = 0
  /// The first slot of the same channel: there the channel's value is kept, whichever slot it came through.
  var cell: Int32 = 0
  /// Where the cell's state is.
  var place: Int32 = 0
  private var kindAndDetail: UInt32 = 0

  @_noLocks init() {}

  /// - Parameter detail: an index into the program's details, for widgets and notes.
  init(_ kind: Kind, slot: Int32, cell: Int32, detail: Int = 0) {
    self.slot = slot
    self.cell = cell
    kindAndDetail = UInt32(detail) << 3 | kind.rawValue
  }

  var detail: Int { @_noLocks get { Int(kindAndDetail >> 3) } }

  // Patterns over numbers, because the compiler's own `==` and `init(rawValue:)` are closed to the INPUT thread.
  var kind: Kind {
    @_noLocks get {
      switch kindAndDetail & 7 {
      case 0: .channel
      case 1: .widgetUnits
      case 2: .widgetScaled
      case 3: .widgetGate
      default: .note
      }
    }
  }

  var isNote: Bool { @_noLocks get { if case .note = kind { true } else { false } } }
  var isGateWidget: Bool { @_noLocks get { if case .widgetGate = kind { true } else { false } } }
}

/// What only targets that are widgets or notes need.
struct TargetDetail: BitwiseCopyable {
  /// The range of the values that leave the line's last stage.
  var range: ValueRange
  /// The widget's number.
  var widget = 0
  /// The number of the line's state.
  var state = 0
  /// The key of a note.
  var key = 0.0
  /// The velocity of a note, NaN to take it from the value.
  var velocity = Double.nan
}

/// What a slot remembers from one event to the next, and from one generation to the next.
struct SlotState: BitwiseCopyable {
  /// The value that the channel has by the last event (in its cell), or the key of the note that is held; NaN for none.
  var value = Double.nan
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
