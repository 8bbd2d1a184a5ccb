internal import Events
internal import Widgets

extension ProgramTables {
  /// Whether line state `state` of `other` belongs to a line that this program has too.
  @_noLocks
  func hasRoute(_ state: Int, of other: ProgramTables) -> Bool {
    state < routeStateCount && routeSerials[state] == other.routeSerials[state]
  }

  /// Whether slot `slot` of `other` means the same in this program.
  @_noLocks
  func hasSlot(_ slot: Int, of other: ProgramTables) -> Bool {
    slot < slotCount && slotSerials[slot] != 0 && slotSerials[slot] == other.slotSerials[slot]
  }
}

// The change from one program to the next, between two events.
extension RuntimeCore {
  @_noLocks
  mutating func install(_ next: Unmanaged<Program>, time: Nanoseconds) -> Unmanaged<Program> {
    finishFrame()
    output.sendWaiting()
    let old = program
    let before = tables
    let after = next._withUnsafeGuaranteedRef { $0.tables }
    releaseMissing(after, time: time)
    output.sendLeaving(before, after)
    carryStates(from: before, to: after)
    carryWidgets(from: before, to: after)
    moveBindings(from: before, to: after)
    program = next
    tables = after
    output.switchProgram(after, time: time)
    sendMovedWidgets(before, time: time)
    startNewRoutes(before, time: time)
    return old
  }

  /// Releases what lines hold that the next program lacks, while the engine still knows their slots.
  @_noLocks
  private mutating func releaseMissing(_ after: ProgramTables, time: Nanoseconds) {
    var device = 0
    while device < deviceCapacity {
      var binding = 0
      while binding < bindingCounts[device] {
        let number = Int(bindings[device * RuntimeCore.bindingCapacity + binding])
        binding += 1
        let (first, end) = routes(of: number)
        var index = first
        while index < end {
          if !after.hasRoute(Int(tables.stateNumbers[index]), of: tables) {
            releaseValues(tables.routes.route(index), device, time: time)
          }
          index += 1
        }
      }
      device += 1
    }
    var slot = 0
    while slot < tables.slotCount {
      if tables.slotIsNote[slot] && !after.hasSlot(slot, of: tables) {
        output.endNote(slot: slot, tables.slotState(slot), time: time)
      }
      slot += 1
    }
  }

  @_noLocks
  private func carryStates(from before: ProgramTables, to after: ProgramTables) {
    var slot = 0
    while slot < after.slotCount {
      var state = SlotState()
      if before.hasSlot(slot, of: after) {
        state = before.slotState(slot).pointee
        after.waitingTimes[slot] = before.waitingTimes[slot]
        // The slot that the last value went through may be gone; the cell itself is not.
        let last = Int(state.lastSlot)
        if last >= 0 && !after.hasSlot(last, of: before) {
          state.lastSlot = Int32(truncatingIfNeeded: slot)
        }
      }
      after.slotState(slot).pointee = state
      slot += 1
    }
    var route = 0
    while route < after.routeStateCount {
      after.routeStates[route] =
        before.hasRoute(route, of: after) ? before.routeStates[route] : RouteState()
      route += 1
    }
  }

  @_noLocks
  private func carryWidgets(from before: ProgramTables, to next: ProgramTables) {
    var number = 0
    while number < next.widgetCount {
      let origin = before.widget(
        withSerial: next.widgetSerials[number],
        hint: Int(next.widgetOrigins[number]))
      if origin >= 0 {
        next.widgets.move(
          number, to: before.widgets.value(origin), by: before.widgets.lastMover(origin))
      }
      number += 1
    }
  }

  /// Devices keep their connections by the names that the mapping gives them.
  @_noLocks
  private func moveBindings(from before: ProgramTables, to after: ProgramTables) {
    var device = 0
    while device < deviceCapacity {
      let first = bindings + device * RuntimeCore.bindingCapacity
      var all = DerivedControls()
      var kept = 0
      var index = 0
      while index < bindingCounts[device] {
        let serial = before.deviceSerials[Int(first[index])]
        index += 1
        var number = 0
        while number < after.deviceCount && after.deviceSerials[number] != serial { number += 1 }
        if number == after.deviceCount { continue }
        first[kept] = Int32(truncatingIfNeeded: number)
        kept += 1
        all.add(after.derived[number])
      }
      bindingCounts[device] = kept
      derived[device] = all
      device += 1
    }
  }

  /// Sends the values of widgets that are new, and of those that their new range moved.
  @_noLocks
  private mutating func sendMovedWidgets(_ before: ProgramTables, time: Nanoseconds) {
    var number = 0
    while number < tables.widgetCount {
      let origin = before.widget(
        withSerial: tables.widgetSerials[number], hint: Int(tables.widgetOrigins[number]))
      let value = tables.widgets.value(number)
      if origin < 0 || before.widgets.value(origin) != value {
        let slot = tables.widgetSlots[number]
        output.send(value, tables.slotState(Int(slot)), cell: slot, slot: slot, time: time)
      }
      number += 1
    }
  }

  @_noLocks
  private mutating func startNewRoutes(_ before: ProgramTables, time: Nanoseconds) {
    var device = 0
    while device < deviceCapacity {
      var binding = 0
      while binding < bindingCounts[device] {
        let number = Int(bindings[device * RuntimeCore.bindingCapacity + binding])
        startDevice(device, number, opensGates: false, onlyNewSince: before, time: time)
        binding += 1
      }
      device += 1
    }
  }
}

extension ProgramTables {
  /// The number of the widget with `serial`, looked for at `hint` first, or −1.
  @_noLocks
  fileprivate func widget(withSerial serial: UInt64, hint: Int) -> Int {
    if hint >= 0 && hint < widgetCount && widgetSerials[hint] == serial { return hint }
    var number = 0
    while number < widgetCount {
      if widgetSerials[number] == serial { return number }
      number += 1
    }
    return -1
  }
}
