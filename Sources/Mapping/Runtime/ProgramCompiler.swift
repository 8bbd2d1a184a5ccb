internal import Events
internal import Widgets

/// The numbers that a program hands on to the next one.
struct ProgramSlots {
  var engine: SlotAssignment
  var routes: SlotAssignment
  var devices: SlotAssignment
  var widgets: SlotAssignment
}

/// Turns a mapping's description into the arrays of a program. CONTROL only.
struct ProgramCompiler {
  let slots: ProgramSlots
  private(set) var engineSlots: [EnginePatch.Slot]
  private(set) var slotNames: [Program.SlotName]

  private let description: MappingDescription
  private let routeNames: [String]
  /// In the order of the lines by device; a line that listens to two controls has two.
  private var entries: [RouteEntry] = []
  private var stages: [CompiledStage] = []
  private var moreTargets: [TargetEntry] = []
  private var details: [TargetDetail] = []
  /// By line, as in `deviceStarts`.
  private var stateNumbers: [Int32] = []
  private var deviceStarts: [Int32] = [0]
  private var derived: [DerivedControls]

  init(_ description: MappingDescription, after previous: Program?) {
    self.description = description
    let chains = description.routes.map { StageChain($0.stages, range: $0.range) }
    var plan = SlotPlan()
    for widget in description.widgets { plan.addWidget(widget.name) }
    var names: [String] = []
    names.reserveCapacity(description.routes.count)
    for (route, chain) in zip(description.routes, chains) {
      names.append(plan.addRoute(route, chain, description.widgets))
    }
    routeNames = names
    let before = previous?.assignments
    slots = ProgramSlots(
      engine: SlotAssignment(plan.names, after: before?.engine),
      routes: SlotAssignment(names, after: before?.routes),
      devices: SlotAssignment(description.devices.map(\.name), after: before?.devices),
      widgets: SlotAssignment(description.widgets.map(\.name), after: before?.widgets))
    engineSlots = Array(repeating: .unused, count: slots.engine.count)
    slotNames = Array(
      repeating: Program.SlotName(target: "", isImplicit: true), count: slots.engine.count)
    for (name, slot) in zip(plan.names, plan.slots) {
      let number = slots.engine.number(name)
      engineSlots[number] = slot.patch
      slotNames[number] = Program.SlotName(target: slot.target, isImplicit: slot.isImplicit)
    }
    derived = Array(repeating: DerivedControls(), count: description.devices.count)

    var indices = [[Int]](repeating: [], count: description.devices.count)
    for (index, route) in description.routes.enumerated() { indices[route.device].append(index) }
    for device in description.devices.indices {
      for index in indices[device] {
        append(description.routes[index], chains[index], name: names[index], plan)
      }
      deviceStarts.append(Int32(stateNumbers.count))
    }
  }

  private mutating func append(
    _ route: RouteDescription, _ chain: StageChain, name: String, _ plan: SlotPlan
  ) {
    var entry = RouteEntry(route.control, other: chain.sibling ?? route.control)
    entry.device = Int32(route.device)
    entry.isPair = chain.sibling != nil
    entry.isButton = isButton(route.control)
    entry.hasNotes = route.targets.contains {
      if case .note = $0 { true } else { false }
    }
    entry.firstStage = Int32(stages.count)
    entry.stageCount = Int32(chain.stages.count)
    stages += chain.stages
    entry.targetCount = route.targets.count
    entry.moreTargets = Int32(moreTargets.count)
    let state = slots.routes.number(name)
    for (ordinal, target) in route.targets.enumerated() {
      let compiled = compile(target, ordinal: ordinal, of: name, state: state, chain, plan)
      if ordinal == 0 { entry.firstTarget = compiled } else { moreTargets.append(compiled) }
    }
    entries.append(entry)
    stateNumbers.append(Int32(state))
    derived[route.device].add(route.control)
    if let sibling = chain.sibling, sibling != route.control {
      entry.listened = sibling
      entry.other = route.control
      entry.isSibling = true
      entries.append(entry)
      derived[route.device].add(sibling)
    }
  }

  private mutating func compile(
    _ target: TargetDescription, ordinal: Int, of route: String, state: Int, _ chain: StageChain,
    _ plan: SlotPlan
  ) -> TargetEntry {
    func slot(of channel: String) -> Int32 {
      let name = plan.slotName(channel: channel, smoothing: chain.smoothing)
      return Int32(slots.engine.number(name))
    }
    var detail = TargetDetail(range: chain.range, state: state)
    switch target {
    case .channel(let name):
      return TargetEntry(.channel, slot: slot(of: name), cell: cell(name))
    case .widget(let number):
      let widget = description.widgets[number]
      let kind: TargetEntry.Kind =
        widget.kind.followsGate
        ? .widgetGate : chain.speaksWidgetUnits ? .widgetUnits : .widgetScaled
      detail.widget = number
      details.append(detail)
      return TargetEntry(
        kind, slot: slot(of: widget.name), cell: cell(widget.name), detail: details.count - 1)
    case .note(_, let key, let velocity):
      let slot = Int32(slots.engine.number(SlotPlan.slotName(note: ordinal, of: route)))
      detail.key = key
      detail.velocity = velocity ?? .nan
      details.append(detail)
      return TargetEntry(.note, slot: slot, cell: slot, detail: details.count - 1)
    }
  }

  private func cell(_ channel: String) -> Int32 {
    Int32(slots.engine.number(SlotPlan.slotName(channel: channel, ordinal: 0)))
  }

  private func isButton(_ control: ControlID) -> Bool {
    // EV_KEY is 1: linux/input-event-codes.h.
    if control.isRaw { return control.rawType == 1 }
    if case .button? = Control.numbered(control)?.kind { return true }
    return false
  }

  /// The value of every widget's channel before the first k-cycle: what the widget has now, or its default.
  func initialValues(
    after previous: Program?, _ widgets: WidgetStore
  ) -> [(channel: String, value: Double)] {
    var numbers: [String: Int] = [:]
    for (number, widget) in (previous?.description.widgets ?? []).enumerated() {
      numbers[widget.name] = number
    }
    return description.widgets.enumerated().map { number, widget in
      guard let previous, let old = numbers[widget.name] else {
        return (widget.name, widgets.value(number))
      }
      return (widget.name, widgets.cells.scaling(number).clamp(previous.widgets.value(old)))
    }
  }

  /// The program's arrays, and what frees them.
  func makeTables(
    generation: Int, _ widgets: WidgetStore, after previous: Program?
  ) -> (ProgramTables, [() -> Void]) {
    var deallocations: [() -> Void] = []
    func flat<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
      let start = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
      for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
      deallocations.append { start.deallocate() }
      return start
    }
    var moreTargets = moreTargets
    let layout = RouteLayout(
      entries, moreTargets: &moreTargets, deviceCount: description.devices.count,
      slotCount: slots.engine.count)
    deallocations.append { layout.memory.deallocate() }
    let widgetNames = description.widgets.map(\.name)
    var origins: [String: Int32] = [:]
    for (number, widget) in (previous?.description.widgets ?? []).enumerated() {
      origins[widget.name] = Int32(number)
    }
    func serials(_ names: [String], _ assignment: SlotAssignment) -> [UInt64] {
      names.map { assignment.slots[$0]?.serial ?? 0 }
    }
    let tables = ProgramTables(
      generation: generation, routes: layout.memory, stages: flat(stages),
      moreTargets: flat(moreTargets), details: flat(details), stateNumbers: flat(stateNumbers),
      deviceStarts: flat(deviceStarts),
      deviceSerials: flat(serials(description.devices.map(\.name), slots.devices)),
      derived: flat(derived), deviceCount: description.devices.count,
      slotPlaces: flat(layout.slotPlaces),
      slotSerials: flat(slots.engine.serials),
      slotIsNote: flat(
        engineSlots.map {
          if case .note = $0 { true } else { false }
        }), slotCount: slots.engine.count,
      waiting: flat([Int32](repeating: 0, count: slots.engine.count)),
      waitingTimes: flat([Nanoseconds](repeating: 0, count: slots.engine.count)),
      routeStates: flat([RouteState](repeating: RouteState(), count: slots.routes.count)),
      routeSerials: flat(slots.routes.serials), routeStateCount: slots.routes.count,
      widgets: widgets.cells, widgetSlots: flat(widgetNames.map { cell($0) }),
      widgetSerials: flat(serials(widgetNames, slots.widgets)),
      widgetOrigins: flat(widgetNames.map { origins[$0] ?? -1 }), widgetCount: widgetNames.count)
    return (tables, deallocations)
  }
}
