/// Numbers for things that outlive one compilation: a name keeps its number, a number set free is given again.
///
/// CONTROL only.
struct SlotAssignment {
  struct Slot {
    var number: Int
    /// Tells two owners of one number apart; never given twice.
    var serial: UInt64
  }

  private(set) var slots: [String: Slot] = [:]
  /// One past the highest number in use.
  private(set) var count = 0
  private var nextSerial: UInt64 = 1

  /// - Parameter names: who needs a number, each once.
  init(_ names: [String], after previous: SlotAssignment?) {
    nextSerial = previous?.nextSerial ?? 1
    slots.reserveCapacity(names.count)
    var used: Set<Int> = []
    for name in names {
      guard let kept = previous?.slots[name] else { continue }
      slots[name] = kept
      used.insert(kept.number)
    }
    var free = 0
    for name in names where slots[name] == nil {
      while used.contains(free) { free += 1 }
      slots[name] = Slot(number: free, serial: nextSerial)
      nextSerial += 1
      free += 1
    }
    count = (slots.values.map(\.number).max() ?? -1) + 1
  }

  func number(_ name: String) -> Int {
    guard let slot = slots[name] else { preconditionFailure("No slot was asked for \(name)") }
    return slot.number
  }

  /// The serials by number, 0 where a number is free.
  var serials: [UInt64] {
    var list = [UInt64](repeating: 0, count: count)
    for slot in slots.values { list[slot.number] = slot.serial }
    return list
  }
}
