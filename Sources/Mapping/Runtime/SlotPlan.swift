internal import Events
internal import Widgets

/// Which slots a mapping needs from the engine, each under a name that stays the same across reloads.
///
/// Lines to one channel share a slot, unless they smooth differently; a note has a slot for each line.
struct SlotPlan {
  struct Slot {
    var patch: EnginePatch.Slot
    var target: String
    var isImplicit: Bool
  }

  private(set) var names: [String] = []
  private(set) var slots: [Slot] = []
  /// The smoothings that lines to a channel ask for, in their order.
  private var smoothings: [String: [Double]] = [:]
  private var positions: [String: Int] = [:]
  private var routeCounts: [String: Int] = [:]

  static func slotName(channel: String, ordinal: Int) -> String { "channel \(ordinal) \(channel)" }

  static func slotName(note ordinal: Int, of route: String) -> String { "note \(ordinal) \(route)" }

  func slotName(channel: String, smoothing: Double) -> String {
    let ordinal = smoothings[channel]?.firstIndex(of: smoothing) ?? 0
    return SlotPlan.slotName(channel: channel, ordinal: ordinal)
  }

  /// A widget's channel has a slot even where no line moves it: a hand may.
  mutating func addWidget(_ name: String) {
    add(
      SlotPlan.slotName(channel: name, ordinal: 0),
      Slot(patch: .channel(name: name, smoothing: 0), target: name, isImplicit: false))
  }

  /// Adds the slots of a line's targets, and returns a name for the line that no other line has.
  mutating func addRoute(
    _ route: RouteDescription, _ chain: StageChain, _ widgets: [WidgetDescription]
  ) -> String {
    let count = routeCounts[route.identity, default: 0] + 1
    routeCounts[route.identity] = count
    let name = count == 1 ? route.identity : "\(route.identity) #\(count)"
    for (ordinal, target) in route.targets.enumerated() {
      switch target {
      case .channel(let channel): addChannel(channel, chain.smoothing, route.isImplicit)
      case .widget(let number):
        addChannel(widgets[number].name, chain.smoothing, route.isImplicit)
      case .note(let instrument, _, _):
        add(
          SlotPlan.slotName(note: ordinal, of: name),
          Slot(
            patch: .note(instrument: instrument), target: "note \(instrument)",
            isImplicit: route.isImplicit))
      }
    }
    return name
  }

  private mutating func addChannel(_ channel: String, _ smoothing: Double, _ isImplicit: Bool) {
    var known = smoothings[channel, default: []]
    let ordinal = known.firstIndex(of: smoothing) ?? known.count
    if ordinal == known.count {
      known.append(smoothing)
      smoothings[channel] = known
    }
    let name = SlotPlan.slotName(channel: channel, ordinal: ordinal)
    let slot = Slot(
      patch: .channel(name: channel, smoothing: smoothing), target: channel, isImplicit: isImplicit)
    if let position = positions[name] {
      slots[position].patch = slot.patch
      if !isImplicit { slots[position].isImplicit = false }
    } else {
      add(name, slot)
    }
  }

  private mutating func add(_ name: String, _ slot: Slot) {
    positions[name] = names.count
    names.append(name)
    slots.append(slot)
  }
}
