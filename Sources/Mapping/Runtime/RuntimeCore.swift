internal import Events
internal import Motion
internal import Widgets

/// A control's change within the frame that is being collected, for the lines of one device of the program.
struct Change: BitwiseCopyable {
  var device: Int
  var old: Double
  var new: Double
  var time: Nanoseconds
  /// The first of the lines that it is for.
  var listener: UnsafeMutablePointer<RouteEntry>

  @_noLocks
  init(
    device: Int, old: Double, new: Double, time: Nanoseconds,
    listener: UnsafeMutablePointer<RouteEntry>
  ) {
    self.device = device
    self.old = old
    self.new = new
    self.time = time
    self.listener = listener
  }
}

/// The runtime's state: what `Runtime` points to.
struct RuntimeCore: ~Copyable {
  static var changeCapacity: Int { @_noLocks get { 512 } }
  /// How many of the program's devices one plugged-in device may play: itself, `gamepad`, `motion` …
  static var bindingCapacity: Int { @_noLocks get { 8 } }

  /// Held by a count of its own, which `install` hands over without touching it.
  var program: Unmanaged<Program>
  var tables: ProgramTables
  var output: CommandOutput

  let deviceCapacity: Int
  let devices: UnsafeMutablePointer<DeviceValues>
  /// For each plugged-in device `bindingCapacity` numbers of the program's devices, of which the first are used.
  let bindings: UnsafeMutablePointer<Int32>
  let bindingCounts: UnsafeMutablePointer<Int>
  /// What has to be computed for each plugged-in device.
  let derived: UnsafeMutablePointer<DerivedControls>

  let changes: UnsafeMutablePointer<Change>
  var changeCount = 0
  /// Counts the frames, to see a control change twice in one. After 2³² frames a frame may be cut in two by mistake.
  var frame: UInt32 = 1
  var frameDevice = -1

  init(_ program: Program, _ output: consuming CommandOutput, deviceCapacity: Int) {
    self.program = .passRetained(program)
    tables = program.tables
    self.output = output
    self.deviceCapacity = deviceCapacity
    devices = .allocate(capacity: deviceCapacity)
    for index in 0..<deviceCapacity { (devices + index).initialize(to: DeviceValues()) }
    bindings = .allocate(capacity: deviceCapacity * RuntimeCore.bindingCapacity)
    bindings.initialize(repeating: 0, count: deviceCapacity * RuntimeCore.bindingCapacity)
    bindingCounts = .allocate(capacity: deviceCapacity)
    bindingCounts.initialize(repeating: 0, count: deviceCapacity)
    derived = .allocate(capacity: deviceCapacity)
    derived.initialize(repeating: DerivedControls(), count: deviceCapacity)
    changes = .allocateResident(capacity: RuntimeCore.changeCapacity)
  }

  func deallocate() {
    program.release()
    for index in 0..<deviceCapacity { devices[index].deallocate() }
    devices.deallocate()
    bindings.deallocate()
    bindingCounts.deallocate()
    derived.deallocate()
    changes.deallocate()
  }

  @_noLocks
  mutating func process(_ event: ControlEvent) {
    if output.isWaiting { output.sendWaiting() }
    let device = Int(event.device)
    if case .widget = event.kind {
      finishFrame()
      moveByHand(Int(event.control.rawValue), to: event.value, time: event.time)
      return
    }
    if device >= deviceCapacity { return }
    if device != frameDevice {
      finishFrame()
      frameDevice = device
    }
    switch event.kind {
    case .value: takeValue(event, device)
    case .frameEnd:
      deriveControls(event, device)
      finishFrame()
    case .lost: finishFrame()
    case .plugged, .unplugged:
      finishFrame()
      releaseDevice(device, time: event.time)
      devices[device].reset()
    case .widget, .raw: break
    }
  }

  @_noLocks
  private mutating func takeValue(_ event: ControlEvent, _ device: Int) {
    // An infinity less itself is NaN, as is NaN.
    if event.value - event.value != 0 { return }
    let number = event.control.rawValue
    if number >= ControlID.accelerometerX.rawValue
      && number < ControlID.accelerometerLength.rawValue
      || number >= ControlID.gyroX.rawValue && number < ControlID.gyroLength.rawValue
    {
      devices[device].sensorReported = true
      devices[device].sensorTime = event.sensorTime
      if number >= ControlID.gyroX.rawValue { devices[device].hasGyro = true }
    }
    change(event.control, to: event.value, device, time: event.time)
  }

  /// Notes a control's new value for the end of the frame.
  @_noLocks
  mutating func change(_ control: ControlID, to value: Double, _ device: Int, time: Nanoseconds) {
    let place = devices[device].place(control)
    if place < 0 { return }
    // A press and its release in one frame are two frames: neither may be lost.
    if devices[device].changed(place, in: frame)
      || changeCount > RuntimeCore.changeCapacity - RuntimeCore.bindingCapacity
    {
      finishFrame()
    }
    let old = devices[device].exchange(place, value, frame: frame)
    if old == value { return }
    // Now rather than at the frame's end: what is not in the processor's caches has until then to come.
    var binding = 0
    while binding < bindingCounts[device] {
      let number = Int(bindings[device * RuntimeCore.bindingCapacity + binding])
      binding += 1
      guard let listener = tables.routes.listener(device: number, control) else { continue }
      (changes + changeCount).initialize(
        to: Change(device: device, old: old, new: value, time: time, listener: listener))
      changeCount += 1
    }
  }

  /// Delivers what was collected: all values, then the gates that close, then those that open.
  @_noLocks
  mutating func finishFrame() {
    frame &+= 1
    if changeCount == 0 { return }
    var gates = false
    var index = 0
    while index < changeCount {
      if deliverValues(of: changes[index]) { gates = true }
      index += 1
    }
    if gates {
      index = 0
      while index < changeCount {
        if changes[index].new == 0 { deliverGate(of: changes[index]) }
        index += 1
      }
      index = 0
      while index < changeCount {
        if changes[index].old == 0 { deliverGate(of: changes[index]) }
        index += 1
      }
    }
    changeCount = 0
  }

  /// Returns whether some line's gate turns and a note follows it.
  @_noLocks
  private mutating func deliverValues(of change: Change) -> Bool {
    var gates = false
    let turns = change.old == 0 || change.new == 0
    var listener: UnsafeMutablePointer<RouteEntry>? = change.listener
    while let route = listener {
      deliverValue(of: change, to: route)
      if turns && route.pointee.hasNotes { gates = true }
      listener = tables.routes.next(after: route)
    }
    return gates
  }

  @_noLocks
  private mutating func deliverGate(of change: Change) {
    var listener: UnsafeMutablePointer<RouteEntry>? = change.listener
    while let route = listener {
      if route.pointee.hasNotes && !route.pointee.isSibling {
        if change.new == 0 {
          endNotes(route, time: change.time)
        } else {
          startNotes(route, change)
        }
      }
      listener = tables.routes.next(after: route)
    }
  }
}
