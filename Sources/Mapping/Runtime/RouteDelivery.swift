internal import Events
internal import Widgets

// One line at work: from a control's value through the stages to its targets.
extension RuntimeCore {
  /// Sends what the line makes of `change` to its channels and widgets.
  @_noLocks
  mutating func deliverValue(of change: Change, to route: UnsafeMutablePointer<RouteEntry>) {
    let isOwn = !route.pointee.isSibling
    // A pair's line whose own control is at rest gives 0 whatever the sibling does.
    if !isOwn && devices[change.device][route.pointee.control] == 0 { return }
    let value = stagedValue(route, change)
    let end = route.pointee.targetCount
    var index = 0
    while index < end {
      let target = tables.target(index, of: route)
      index += 1
      switch target.pointee.kind {
      case .channel:
        send(value, target, change.time)
      case .widgetUnits:
        moveWidget(target, to: value, change.time)
      case .widgetScaled:
        let detail = tables.details + target.pointee.detail
        let range = detail.pointee.range
        let fraction = range.span > 0 ? (value - range.low) / range.span : 0
        let scaled = tables.widgets.scaling(detail.pointee.widget).value(at: fraction)
        moveWidget(target, to: value == value ? scaled : value, change.time)
      case .widgetGate:
        if isOwn { moveGateWidget(target, route, change) }
      case .note:
        break
      }
    }
  }

  /// The value behind the last stage; never a negative zero.
  ///
  /// Mutating though it changes nothing: for any other method the compiler copies all of `self` first.
  @_noLocks
  private mutating func stagedValue(
    _ route: UnsafeMutablePointer<RouteEntry>, _ change: Change
  ) -> Double {
    var value = change.new
    var stage = tables.stages + Int(route.pointee.firstStage)
    let end = stage + Int(route.pointee.stageCount)
    if !route.pointee.isPair {
      while stage < end {
        value = stage.pointee.apply(value)
        stage += 1
      }
      return value + 0
    }
    let values = devices + change.device
    if route.pointee.isSibling {
      value = values.pointee[route.pointee.control]
    }
    var sibling = values.pointee[
      route.pointee.isSibling ? route.pointee.listened : route.pointee.other]
    while stage < end {
      stage.pointee.apply(&value, sibling: &sibling)
      stage += 1
    }
    return value + 0
  }

  @_noLocks
  private mutating func send(
    _ value: Double, _ target: UnsafeMutablePointer<TargetEntry>, _ time: Nanoseconds
  ) {
    output.send(
      value, tables.routes.state(target.pointee.place), cell: target.pointee.cell,
      slot: target.pointee.slot, time: time)
  }

  @_noLocks
  private mutating func moveWidget(
    _ target: UnsafeMutablePointer<TargetEntry>, to value: Double, _ time: Nanoseconds
  ) {
    if value != value { return }
    send(
      tables.widgets.move(tables.details[target.pointee.detail].widget, to: value, by: .mapping),
      target, time)
  }

  @_noLocks
  private mutating func moveGateWidget(
    _ target: UnsafeMutablePointer<TargetEntry>, _ route: UnsafeMutablePointer<RouteEntry>,
    _ change: Change
  ) {
    let state = tables.routeStates + tables.details[target.pointee.detail].state
    if change.old == 0 {
      state.pointee.gateIsOpen = true
      moveWidget(target, to: 1, change.time)
    } else if change.new == 0 {
      closeGateWidgets(route, time: change.time)
    }
  }

  /// Returns the line's buttons to 0, if it is this line that pressed them.
  @_noLocks
  mutating func closeGateWidgets(
    _ route: UnsafeMutablePointer<RouteEntry>, time: Nanoseconds
  ) {
    let end = route.pointee.targetCount
    var index = 0
    var state: UnsafeMutablePointer<RouteState>?
    while index < end {
      let target = tables.target(index, of: route)
      index += 1
      if !target.pointee.isGateWidget { continue }
      if state == nil {
        let opened = tables.routeStates + tables.details[target.pointee.detail].state
        if !opened.pointee.gateIsOpen { return }
        opened.pointee.gateIsOpen = false
        state = opened
      }
      moveWidget(target, to: 0, time)
    }
  }

  @_noLocks
  mutating func startNotes(_ route: UnsafeMutablePointer<RouteEntry>, _ change: Change) {
    let end = route.pointee.targetCount
    var index = 0
    while index < end {
      let target = tables.target(index, of: route)
      index += 1
      if !target.pointee.isNote { continue }
      let detail = tables.details + target.pointee.detail
      var velocity = detail.pointee.velocity
      if velocity != velocity {
        let range = detail.pointee.range
        velocity = 127 * (stagedValue(route, change) - range.low) / range.span
        // Also takes the NaN and the infinity of an empty range.
        if !(velocity > 1) || velocity == .infinity { velocity = 1 }
      }
      output.startNote(
        slot: Int(target.pointee.slot), tables.routes.state(target.pointee.place),
        key: detail.pointee.key, velocity: velocity, time: change.time)
    }
  }

  @_noLocks
  mutating func endNotes(_ route: UnsafeMutablePointer<RouteEntry>, time: Nanoseconds) {
    let end = route.pointee.targetCount
    var index = 0
    while index < end {
      let target = tables.target(index, of: route)
      if target.pointee.isNote {
        output.endNote(
          slot: Int(target.pointee.slot), tables.routes.state(target.pointee.place), time: time)
      }
      index += 1
    }
  }

  /// A widget moved by hand: the widget and its channel follow.
  @_noLocks
  mutating func moveByHand(_ number: Int, to value: Double, time: Nanoseconds) {
    if number >= tables.widgetCount || value != value { return }
    let moved = tables.widgets.move(number, to: value, by: .hand)
    let slot = tables.widgetSlots[number]
    output.send(moved, tables.slotState(Int(slot)), cell: slot, slot: slot, time: time)
  }
}
