import Events
import Synchronization

/// A patch as PERFORM uses it: names as C strings, pointers, and the state of the k-rate stages.
///
/// Made and freed on CONTROL; in between PERFORM's alone, except for `published`.
final class PatchRecord: @unchecked Sendable {
  struct Slot: BitwiseCopyable {
    enum Kind: UInt8 { case unused, channel, note }

    var kind = Kind.unused
    var isGliding = false
    /// Whether another slot has the same channel.
    var isShared = false
    /// The channel's name, or the code that finds the instrument's number.
    var name: UnsafePointer<CChar>?
    var channel: UnsafeMutablePointer<Double>?
    /// The instrument's number; 0 while unknown, below 0 if there is none.
    var instrument = 0.0
    /// The share of the way to `target` that one k-cycle makes; 1 without `smooth`.
    var coefficient = 1.0
    var current = 0.0
    var target = 0.0
    /// So close to the target is there.
    var tolerance = 0.0
  }

  /// What a patch hands on to the next one.
  struct State: BitwiseCopyable {
    let slots: UnsafeMutablePointer<Slot>
    let count: Int
    let valued: SlotBits
    let gliding: UnsafeMutablePointer<Int32>
    let glidingCount: Int

    @_noLocks
    fileprivate init(
      _ slots: UnsafeMutablePointer<Slot>, _ count: Int, _ valued: SlotBits,
      _ gliding: UnsafeMutablePointer<Int32>, _ glidingCount: Int
    ) {
      self.slots = slots
      self.count = count
      self.valued = valued
      self.gliding = gliding
      self.glidingCount = glidingCount
    }
  }

  let patch: EnginePatch
  let count: Int
  let slots: UnsafeMutablePointer<Slot>
  /// The channels' values as PERFORM last saw them, as bits of a Double.
  let published: UnsafeMutablePointer<Atomic<UInt64>>
  let gliding: UnsafeMutablePointer<Int32>
  var glidingCount = 0
  /// The slots that gave their channels a value.
  private let valued: SlotBits
  /// The slots that were the same channels' in the patch that plays before this one.
  private let kept: SlotBits
  /// Slots below this are resolved.
  var resolvedCount = 0
  private let text: UnsafeMutablePointer<CChar>

  var state: State {
    @_noLocks get { State(slots, count, valued, gliding, glidingCount) }
  }

  var generation: Int { @_noLocks get { generationNumber } }
  private let generationNumber: Int

  /// - Parameters:
  ///   - cycleRate: k-cycles per second.
  ///   - instruments: the numbers of instruments by name, as far as known.
  init(_ patch: EnginePatch, cycleRate: Double, instruments: [String: Double]) {
    self.patch = patch
    generationNumber = patch.generation
    count = patch.slots.count
    // A slot is as large as a cache line: a value touches one, not two.
    slots = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Slot>.stride, alignment: 64
    ).initializeMemory(as: Slot.self, repeating: Slot(), count: max(count, 1))
    gliding = .allocateResident(capacity: max(count, 1))
    published = .allocate(capacity: max(count, 1))
    for index in 0..<max(count, 1) { (published + index).initialize(to: Atomic(0)) }
    valued = SlotBits(count: count)
    kept = SlotBits(count: count)

    var bytes: [CChar] = []
    var offsets: [Int?] = []
    var users: [String: Int] = [:]
    for slot in patch.slots {
      switch slot {
      case .unused: offsets.append(nil)
      case .channel(let name, _):
        offsets.append(bytes.count)
        bytes += name.utf8CString
        users[name, default: 0] += 1
      case .note(let instrument):
        offsets.append(bytes.count)
        bytes += "return nstrnum(\"\(instrument)\")\n".utf8CString
      }
    }
    text = .allocate(capacity: max(bytes.count, 1))
    text.initialize(from: bytes, count: bytes.count)

    for (index, slot) in patch.slots.enumerated() {
      slots[index].name = offsets[index].map { UnsafePointer(text + $0) }
      switch slot {
      case .unused: break
      case .channel(let name, let smoothing):
        slots[index].kind = .channel
        slots[index].isShared = users[name, default: 0] > 1
        if smoothing > 0 {
          slots[index].coefficient = 1 - EngineMath.exponential(-1 / (smoothing * cycleRate))
        }
      case .note(let instrument):
        slots[index].kind = .note
        slots[index].instrument =
          PatchRecord.number(instrument) ?? instruments[instrument]
          ?? (isInstrumentName(instrument) ? 0 : -1)
      }
    }
  }

  private static func number(_ text: String) -> Double? {
    guard let number = Int(text), number > 0 else { return nil }
    return Double(number)
  }

  deinit {
    published.deinitialize(count: max(count, 1))
    published.deallocate()
    UnsafeMutableRawPointer(slots).deallocate()
    gliding.deallocate()
    valued.deallocate()
    kept.deallocate()
    text.deallocate()
  }

  /// Turns the names of up to `limit` more slots into pointers and numbers.
  ///
  /// - Parameter playing: the patch that plays until this one does.
  /// - Returns: the first slot in it that has no meaning, or −1.
  @_noLocks
  func resolve(_ limit: Int, _ calls: CsoundCalls, after playing: State) -> Int {
    let end = resolvedCount &+ min(count &- resolvedCount, limit)
    while resolvedCount < end {
      let index = resolvedCount
      resolvedCount &+= 1
      guard let name = slots[index].name else { continue }
      switch slots[index].kind {
      case .unused: break
      case .channel:
        guard let channel = calls.channel(name) else { return index }
        slots[index].channel = channel
        if index < playing.count && playing.slots[index].channel == channel {
          kept.insert(index)
        }
      case .note:
        if slots[index].instrument == 0 {
          let number = calls.evaluate(name)
          slots[index].instrument = number >= 1 ? number : -1
        }
        if slots[index].instrument < 0 { return index }
      }
    }
    return -1
  }

  /// Takes over the state of those slots that mean the same as in `old`, the patch that was given to `resolve`.
  @_noLocks
  func inherit(_ old: State) {
    valued.set(toBothOf: old.valued, kept)
    // What glides is somewhere between; the others are where their channels are.
    for place in 0..<old.glidingCount {
      let index = Int(old.gliding[place])
      if index >= count { continue }
      if !kept[index] { continue }
      slots[index].current = old.slots[index].current
      slots[index].target = old.slots[index].target
      slots[index].tolerance = old.slots[index].tolerance
      startGliding(index)
    }
  }

  @_noLocks
  private func startGliding(_ index: Int) {
    if slots[index].isGliding { return }
    slots[index].isGliding = true
    gliding[glidingCount] = Int32(truncatingIfNeeded: index)
    glidingCount &+= 1
  }

  @_noLocks
  private func stopGliding(_ place: Int) {
    slots[Int(gliding[place])].isGliding = false
    glidingCount &-= 1
    gliding[place] = gliding[glidingCount]
  }

  /// Gives a channel slot its value: at once, or as the target of its glide.
  @_noLocks
  func set(_ index: Int, _ value: Double, _ channel: UnsafeMutablePointer<Double>) {
    if slots[index].isShared { stopOthers(index, channel) }
    let isAtOnce = slots[index].coefficient >= 1
    let isFirst = !valued[index]
    if isAtOnce || isFirst {
      valued.insert(index)
      // The glide of a patch before this one.
      if slots[index].isGliding {
        slots[index].current = value
        slots[index].target = value
      }
      channel.pointee = value
      return
    }
    // Other hands may have moved the channel since.
    if !slots[index].isGliding { slots[index].current = channel.pointee }
    slots[index].target = value
    let distance = value - slots[index].current
    slots[index].tolerance = (distance < 0 ? -distance : distance) * 1e-6
    startGliding(index)
  }

  // The last event on a channel wins: glides of other slots towards it end.
  @_noLocks
  private func stopOthers(_ index: Int, _ channel: UnsafeMutablePointer<Double>) {
    var place = glidingCount
    while place > 0 {
      place &-= 1
      let other = Int(gliding[place])
      if other == index { continue }
      if slots[other].channel == channel { stopGliding(place) }
    }
  }

  /// Moves every gliding channel by one k-cycle.
  @_noLocks
  func glide() {
    var place = glidingCount
    while place > 0 {
      place &-= 1
      let index = Int(gliding[place])
      guard let channel = slots[index].channel else { continue }
      let target = slots[index].target
      var value = slots[index].current
      value += (target - value) * slots[index].coefficient
      let distance = target - value
      let tolerance = slots[index].tolerance
      if distance <= tolerance && distance >= -tolerance {
        value = target
        stopGliding(place)
      }
      slots[index].current = value
      channel.pointee = value
    }
  }

  /// Shows the values of up to `limit` slots from `start` on to other threads.
  @_noLocks
  func publish(from start: Int, limit: Int) {
    let end = min(count, start &+ limit)
    var index = start
    while index < end {
      if let channel = slots[index].channel {
        published[index].store(channel.pointee.bitPattern, ordering: .relaxed)
      }
      index &+= 1
    }
  }
}
