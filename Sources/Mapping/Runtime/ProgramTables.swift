internal import Events
internal import Widgets

/// The flat arrays of a program, as the INPUT thread walks them. Owned by the program.
struct ProgramTables: BitwiseCopyable {
  var generation: Int
  var routes: RouteMemory
  var stages: UnsafeMutablePointer<CompiledStage>
  var moreTargets: UnsafeMutablePointer<TargetEntry>
  var details: UnsafeMutablePointer<TargetDetail>
  /// The numbers of the lines' states, by line.
  var stateNumbers: UnsafeMutablePointer<Int32>
  /// The lines of device n are those from `deviceStarts[n]` to before `deviceStarts[n + 1]`.
  var deviceStarts: UnsafeMutablePointer<Int32>
  var deviceSerials: UnsafeMutablePointer<UInt64>
  var derived: UnsafeMutablePointer<DerivedControls>
  var deviceCount: Int

  /// Where the slots' states are.
  var slotPlaces: UnsafeMutablePointer<Int32>
  var slotSerials: UnsafeMutablePointer<UInt64>
  var slotIsNote: UnsafeMutablePointer<Bool>
  var slotCount: Int
  /// Room for the numbers of all slots whose values wait, and by slot the times of those.
  var waiting: UnsafeMutablePointer<Int32>
  var waitingTimes: UnsafeMutablePointer<Nanoseconds>
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

  /// What slot `slot` remembers.
  @_noLocks
  func slotState(_ slot: Int) -> UnsafeMutablePointer<SlotState> { routes.state(slotPlaces[slot]) }

  /// Target `number` of a line, which has as many.
  @_noLocks
  func target(
    _ number: Int, of route: UnsafeMutablePointer<RouteEntry>
  ) -> UnsafeMutablePointer<TargetEntry> {
    if number > 0 { return moreTargets + (Int(route.pointee.moreTargets) + number - 1) }
    return (UnsafeMutableRawPointer(route) + RouteEntry.firstTargetOffset)
      .assumingMemoryBound(to: TargetEntry.self)
  }
}

extension RouteEntry {
  /// Where `firstTarget` lies in an entry.
  static var firstTargetOffset: Int { @_noLocks get { 32 } }
  /// Where `slotState` lies in an entry.
  static var slotStateOffset: Int { @_noLocks get { 48 } }
}
