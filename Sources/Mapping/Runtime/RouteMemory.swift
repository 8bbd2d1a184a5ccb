internal import Events

/// The entries of a program's lines and the states of its slots, in one block, where the address of what an event
/// meets follows from its control alone.
///
/// First comes a table for each device of the language's own controls, then open addressing for the others (raw
/// codes), then the entries of further lines on the same controls, at last the states that have no entry to lie in.
struct RouteMemory: BitwiseCopyable {
  private let entries: UnsafeMutablePointer<RouteEntry>
  private let firstRaw: Int
  private let rawMask: Int

  /// The entries by the order of the lines; where one listens to two controls, that of its own.
  let ownEntries: UnsafeMutablePointer<Int32>

  init(
    _ entries: UnsafeMutablePointer<RouteEntry>, firstRaw: Int, rawMask: Int,
    ownEntries: UnsafeMutablePointer<Int32>
  ) {
    self.entries = entries
    self.firstRaw = firstRaw
    self.rawMask = rawMask
    self.ownEntries = ownEntries
  }

  func deallocate() {
    UnsafeMutableRawPointer(entries).deallocate()
    ownEntries.deallocate()
  }

  /// The entry of line `index`.
  @_noLocks
  func route(_ index: Int) -> UnsafeMutablePointer<RouteEntry> { entries + Int(ownEntries[index]) }

  /// The state at `place`.
  @_noLocks
  func state(_ place: Int32) -> UnsafeMutablePointer<SlotState> {
    (UnsafeMutableRawPointer(entries) + Int(place) * MemoryLayout<SlotState>.stride)
      .assumingMemoryBound(to: SlotState.self)
  }

  /// The first entry that listens to `control` of the program's device number `device`, or nil.
  @_noLocks
  func listener(device: Int, _ control: ControlID) -> UnsafeMutablePointer<RouteEntry>? {
    let number = Int(control.rawValue)
    if number < ControlID.languageCount {
      let entry = entries + (device * ControlID.languageCount + number)
      return entry.pointee.device < 0 ? nil : entry
    }
    var position = RouteMemory.position(device, control, rawMask)
    while true {
      let entry = entries + (firstRaw + position)
      if entry.pointee.device < 0 { return nil }
      if entry.pointee.listened.rawValue == control.rawValue
        && entry.pointee.device == Int32(truncatingIfNeeded: device)
      {
        return entry
      }
      position = (position + 1) & rawMask
    }
  }

  /// The next entry that listens to the same control as `entry`, or nil.
  @_noLocks
  func next(
    after entry: UnsafeMutablePointer<RouteEntry>
  ) -> UnsafeMutablePointer<RouteEntry>? {
    let next = Int(entry.pointee.next)
    return next == 0 ? nil : entries + next
  }

  @_noLocks
  fileprivate static func position(_ device: Int, _ control: ControlID, _ mask: Int) -> Int {
    // Fibonacci hashing: the golden ratio spreads neighbouring codes.
    let key = UInt64(truncatingIfNeeded: device) << 32 | UInt64(control.rawValue)
    return Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }
}

/// Lays out the memory of a program's lines. CONTROL only.
struct RouteLayout {
  /// A cache line.
  private static let size = 64
  /// States for each entry, were all of it states.
  private static let statesPerEntry = size / MemoryLayout<SlotState>.stride

  let memory: RouteMemory
  /// The places of the slots' states, by slot.
  let slotPlaces: [Int32]

  /// - Parameters:
  ///   - entries: in the order in which values are to be delivered; the targets' places are filled in.
  ///   - moreTargets: the targets that lie outside the entries, likewise.
  init(
    _ entries: [RouteEntry], moreTargets: inout [TargetEntry], deviceCount: Int, slotCount: Int
  ) {
    precondition(MemoryLayout<RouteEntry>.stride == RouteLayout.size)
    var entries = entries
    let languageCount = ControlID.languageCount
    var rawCount = 0
    for entry in entries where entry.listened.rawValue >= UInt32(languageCount) { rawCount += 1 }
    var rawSize = 4
    while rawSize < 2 * rawCount { rawSize *= 2 }
    let firstRaw = deviceCount * languageCount
    let firstOther = firstRaw + rawSize

    // Where each entry goes: the first of a control into its table, the others behind the tables.
    var places: [Int32] = []
    places.reserveCapacity(entries.count)
    var lasts: [Int: Int] = [:]
    var taken = [Int32](repeating: -1, count: rawSize)
    var end = firstOther
    for (number, entry) in entries.enumerated() {
      var place: Int
      let control = Int(entry.listened.rawValue)
      if control < languageCount {
        place = Int(entry.device) * languageCount + control
      } else {
        var position = RouteMemory.position(Int(entry.device), entry.listened, rawSize - 1)
        while taken[position] >= 0 {
          let other = entries[Int(taken[position])]
          if other.listened == entry.listened && other.device == entry.device { break }
          position = (position + 1) & (rawSize - 1)
        }
        if taken[position] < 0 { taken[position] = Int32(number) }
        place = firstRaw + position
      }
      if let last = lasts.updateValue(number, forKey: place) {
        place = end
        end += 1
        entries[last].next = Int32(place)
      }
      places.append(Int32(place))
    }

    // A channel's state lies with its first line, if that is the line's first target.
    var slotPlaces = [Int32](repeating: -1, count: slotCount)
    for (entry, place) in zip(entries, places) where entry.targetCount > 0 {
      let cell = Int(entry.firstTarget.cell)
      if slotPlaces[cell] < 0 {
        slotPlaces[cell] = place * Int32(RouteLayout.statesPerEntry) + 3
      }
    }
    var extraStates = 0
    for slot in 0..<slotCount where slotPlaces[slot] < 0 {
      slotPlaces[slot] = Int32(end * RouteLayout.statesPerEntry + extraStates)
      extraStates += 1
    }
    for number in entries.indices where entries[number].targetCount > 0 {
      entries[number].firstTarget.place = slotPlaces[Int(entries[number].firstTarget.cell)]
    }
    for number in moreTargets.indices {
      moreTargets[number].place = slotPlaces[Int(moreTargets[number].cell)]
    }
    self.slotPlaces = slotPlaces

    let count = end + (extraStates + RouteLayout.statesPerEntry - 1) / RouteLayout.statesPerEntry
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * RouteLayout.size, alignment: RouteLayout.size)
    let nobody = RouteEntry(ControlID(rawValue: 0), other: ControlID(rawValue: 0))
    let memory = bytes.initializeMemory(as: RouteEntry.self, repeating: nobody, count: end)
    (bytes + end * RouteLayout.size).initializeMemory(
      as: SlotState.self, repeating: SlotState(), count: extraStates)
    let own = UnsafeMutablePointer<Int32>.allocate(capacity: entries.count)
    var line = 0
    for (entry, place) in zip(entries, places) {
      memory[Int(place)] = entry
      if entry.isSibling { continue }
      (own + line).initialize(to: place)
      line += 1
    }
    self.memory = RouteMemory(
      memory, firstRaw: firstRaw, rawMask: rawSize - 1, ownEntries: own)
  }
}
