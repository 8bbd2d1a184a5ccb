internal import Events

// Devices come and go: which of them play which devices of the program, and what they leave behind.
extension RuntimeCore {
  @_noLocks
  func isBound(_ device: Int, to number: Int) -> Bool {
    if device >= deviceCapacity { return false }
    var index = 0
    while index < bindingCounts[device] {
      if bindings[device * RuntimeCore.bindingCapacity + index] == Int32(truncatingIfNeeded: number)
      {
        return true
      }
      index += 1
    }
    return false
  }

  @_noLocks
  mutating func bind(_ device: Int, to number: Int, opensGates: Bool, time: Nanoseconds) {
    finishFrame()
    if device >= deviceCapacity || number < 0 || number >= tables.deviceCount { return }
    if isBound(device, to: number) || bindingCounts[device] == RuntimeCore.bindingCapacity {
      return
    }
    bindings[device * RuntimeCore.bindingCapacity + bindingCounts[device]] =
      Int32(truncatingIfNeeded: number)
    bindingCounts[device] += 1
    derived[device].add(tables.derived[number])
    startDevice(device, number, opensGates: opensGates, onlyNewSince: nil, time: time)
  }

  @_noLocks
  mutating func unbind(_ device: Int, from number: Int, time: Nanoseconds) {
    finishFrame()
    if !isBound(device, to: number) { return }
    release(number, device, time: time)
    let first = bindings + device * RuntimeCore.bindingCapacity
    var kept = 0
    var index = 0
    while index < bindingCounts[device] {
      if first[index] != Int32(truncatingIfNeeded: number) {
        first[kept] = first[index]
        kept += 1
      }
      index += 1
    }
    bindingCounts[device] = kept
    collectDerived(device)
  }

  @_noLocks
  func collectDerived(_ device: Int) {
    var all = DerivedControls()
    var index = 0
    while index < bindingCounts[device] {
      let number = Int(bindings[device * RuntimeCore.bindingCapacity + index])
      all.add(tables.derived[number])
      index += 1
    }
    derived[device] = all
  }

  /// The lines of the program's device `number`.
  @_noLocks
  func routes(of number: Int) -> (first: Int, end: Int) {
    (Int(tables.deviceStarts[number]), Int(tables.deviceStarts[number + 1]))
  }

  /// Lets the controls of `device` that are not at rest act on the lines of the program's device `number`.
  ///
  /// - Parameter onlyNewSince: if not nil, lines that this earlier program has too are left alone.
  @_noLocks
  mutating func startDevice(
    _ device: Int, _ number: Int, opensGates: Bool, onlyNewSince earlier: ProgramTables?,
    time: Nanoseconds
  ) {
    let (first, end) = routes(of: number)
    var pass = 0
    while pass < (opensGates ? 2 : 1) {
      var index = first
      while index < end {
        let route = tables.routes.route(index)
        let state = Int(tables.stateNumbers[index])
        index += 1
        if let earlier, earlier.hasRoute(state, of: tables) { continue }
        let value = devices[device][route.pointee.control]
        if value == 0 { continue }
        let change = Change(
          device: device, old: opensGates ? 0 : value, new: value, time: time, listener: route)
        if pass == 0 {
          deliverValue(of: change, to: route)
        } else if route.pointee.hasNotes {
          startNotes(route, change)
        }
      }
      pass += 1
    }
  }

  /// Releases everything that `device` holds, wherever it is bound.
  @_noLocks
  mutating func releaseDevice(_ device: Int, time: Nanoseconds) {
    var index = 0
    while index < bindingCounts[device] {
      let number = Int(bindings[device * RuntimeCore.bindingCapacity + index])
      release(number, device, time: time)
      index += 1
    }
  }

  /// Releases what `device` holds through the lines of the program's device `number`: values first, then notes.
  @_noLocks
  mutating func release(_ number: Int, _ device: Int, time: Nanoseconds) {
    let (first, end) = routes(of: number)
    var index = first
    while index < end {
      releaseValues(tables.routes.route(index), device, time: time)
      index += 1
    }
    index = first
    while index < end {
      let route = tables.routes.route(index)
      if route.pointee.hasNotes { endNotes(route, time: time) }
      index += 1
    }
  }

  /// Lets go of a button as a finger would; other controls hold, apart from the gates that they keep open.
  @_noLocks
  mutating func releaseValues(
    _ route: UnsafeMutablePointer<RouteEntry>, _ device: Int, time: Nanoseconds
  ) {
    if route.pointee.isButton {
      let value = devices[device][route.pointee.control]
      if value == 0 { return }
      deliverValue(
        of: Change(device: device, old: value, new: 0, time: time, listener: route), to: route)
    } else {
      closeGateWidgets(route, time: time)
    }
  }

  /// Releases every held note and every pressed button.
  @_noLocks
  mutating func releaseAll(time: Nanoseconds) {
    finishFrame()
    var device = 0
    while device < deviceCapacity {
      releaseDevice(device, time: time)
      device += 1
    }
    // Whatever a note's device was.
    var slot = 0
    while slot < tables.slotCount {
      if tables.slotIsNote[slot] {
        output.endNote(slot: slot, tables.slotState(slot), time: time)
      }
      slot += 1
    }
    output.panic(time: time)
  }
}
