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
  private var routes: [RouteEntry] = []
  private var stages: [CompiledStage] = []
  private var targets: [TargetEntry] = []
  private var deviceStarts: [Int32] = [0]
  private var derived: [DerivedControls]
  private var listening: [(index: Int, device: Int, control: ControlID)] = []

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
      deviceStarts.append(Int32(routes.count))
    }
  }

  private mutating func append(
    _ route: RouteDescription, _ chain: StageChain, name: String, _ plan: SlotPlan
  ) {
    let entry = RouteEntry(
      control: route.control, sibling: chain.sibling ?? route.control,
      isPair: chain.sibling != nil, isButton: isButton(route.control),
      hasNotes: route.targets.contains {
        if case .note = $0 { true } else { false }
      },
      device: Int32(route.device), state: Int32(slots.routes.number(name)),
      firstStage: Int32(stages.count), stageCount: Int32(chain.stages.count),
      firstTarget: Int32(targets.count), targetCount: Int32(route.targets.count),
      range: chain.range)
    stages += chain.stages
    for (ordinal, target) in route.targets.enumerated() {
      targets.append(compile(target, ordinal: ordinal, of: name, chain, plan))
    }
    listening.append((routes.count, route.device, route.control))
    derived[route.device].add(route.control)
    if let sibling = chain.sibling, sibling != route.control {
      listening.append((routes.count, route.device, sibling))
      derived[route.device].add(sibling)
    }
    routes.append(entry)
  }

  private func compile(
    _ target: TargetDescription, ordinal: Int, of route: String, _ chain: StageChain,
    _ plan: SlotPlan
  ) -> TargetEntry {
    func channel(_ kind: TargetEntry.Kind, _ name: String, widget: Int) -> TargetEntry {
      let slot = plan.slotName(channel: name, smoothing: chain.smoothing)
      return TargetEntry(
        kind: kind, slot: Int32(slots.engine.number(slot)), cell: cell(name),
        widget: Int32(widget), key: 0, velocity: 0)
    }
    switch target {
    case .channel(let name):
      return channel(.channel, name, widget: -1)
    case .widget(let number):
      let widget = description.widgets[number]
      let kind: TargetEntry.Kind =
        widget.kind.followsGate
        ? .widgetGate : chain.speaksWidgetUnits ? .widgetUnits : .widgetScaled
      return channel(kind, widget.name, widget: number)
    case .note(_, let key, let velocity):
      let slot = Int32(slots.engine.number(SlotPlan.slotName(note: ordinal, of: route)))
      return TargetEntry(
        kind: .note, slot: slot, cell: slot, widget: -1, key: key, velocity: velocity ?? .nan)
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
    let listeners = ListenerIndex(listening, deviceCount: description.devices.count)
    deallocations.append { listeners.deallocate() }
    let widgetNames = description.widgets.map(\.name)
    var origins: [String: Int32] = [:]
    for (number, widget) in (previous?.description.widgets ?? []).enumerated() {
      origins[widget.name] = Int32(number)
    }
    func serials(_ names: [String], _ assignment: SlotAssignment) -> [UInt64] {
      names.map { assignment.slots[$0]?.serial ?? 0 }
    }
    let tables = ProgramTables(
      generation: generation, routes: flat(routes), routeCount: routes.count, stages: flat(stages),
      targets: flat(targets), deviceStarts: flat(deviceStarts),
      deviceSerials: flat(serials(description.devices.map(\.name), slots.devices)),
      derived: flat(derived), deviceCount: description.devices.count, listeners: listeners,
      slotStates: flat([SlotState](repeating: SlotState(), count: slots.engine.count)),
      slotSerials: flat(slots.engine.serials),
      slotIsNote: flat(
        engineSlots.map {
          if case .note = $0 { true } else { false }
        }), slotCount: slots.engine.count,
      waiting: flat([Int32](repeating: 0, count: slots.engine.count)),
      routeStates: flat([RouteState](repeating: RouteState(), count: slots.routes.count)),
      routeSerials: flat(slots.routes.serials), routeStateCount: slots.routes.count,
      widgets: widgets.cells, widgetSlots: flat(widgetNames.map { cell($0) }),
      widgetSerials: flat(serials(widgetNames, slots.widgets)),
      widgetOrigins: flat(widgetNames.map { origins[$0] ?? -1 }), widgetCount: widgetNames.count)
    return (tables, deallocations)
  }
}
