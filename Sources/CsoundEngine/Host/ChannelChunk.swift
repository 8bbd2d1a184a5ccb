import Synchronization

/// Sixty-four control channels that a host program follows, as cells that any thread may use.
///
/// Made by the thread that asks for a channel; PERFORM copies what hosts wrote into Csound before a k-cycle, and
/// what the orchestra wrote back after it. The later of two writers wins, and no value is torn or lost.
final class ChannelChunk: @unchecked Sendable {
  static let size = 64

  // Bits of Doubles.
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>
  // Pulses that were asked for and have not begun.
  private let pulses: UnsafeMutablePointer<Atomic<Int>>
  // One bit a cell: a host wrote it; pulses wait; the orchestra changed it since a host last looked.
  private let written = Atomic<UInt64>(0)
  private let pulsing = Atomic<UInt64>(0)
  private let changed = Atomic<UInt64>(0)
  // A host wrote it once: it is what a run begins with.
  private let owned = Atomic<UInt64>(0)

  // PERFORM's own: Csound's values, what a cell held when PERFORM last wrote it, and which pulses are 1 now.
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>
  private let shadows: UnsafeMutablePointer<UInt64>
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  init() {
    cells = .allocate(capacity: ChannelChunk.size)
    pulses = .allocate(capacity: ChannelChunk.size)
    pointers = .allocate(capacity: ChannelChunk.size)
    shadows = .allocate(capacity: ChannelChunk.size)
    for index in 0..<ChannelChunk.size {
      (cells + index).initialize(to: Atomic(0))
      (pulses + index).initialize(to: Atomic(0))
    }
    pointers.initialize(repeating: nil, count: ChannelChunk.size)
    shadows.initialize(repeating: 0, count: ChannelChunk.size)
  }

  deinit {
    cells.deinitialize(count: ChannelChunk.size)
    pulses.deinitialize(count: ChannelChunk.size)
    cells.deallocate()
    pulses.deallocate()
    pointers.deallocate()
    shadows.deallocate()
  }

  // MARK: any thread

  func value(_ index: Int) -> Double {
    Double(bitPattern: cells[index].load(ordering: .acquiring))
  }

  func write(_ index: Int, _ value: Double) {
    cells[index].store(value.bitPattern, ordering: .releasing)
    owned.bitwiseOr(1 << UInt64(index), ordering: .relaxed)
    written.bitwiseOr(1 << UInt64(index), ordering: .releasing)
  }

  /// Writes a value, unless a host wrote one at any time.
  func begin(_ index: Int, with value: Double) {
    let bit: UInt64 = 1 << UInt64(index)
    if owned.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue & bit != 0 { return }
    write(index, value)
  }

  /// Asks for one more k-cycle of 1, and one of 0 after it.
  func pulse(_ index: Int) {
    pulses[index].wrappingAdd(1, ordering: .releasing)
    pulsing.bitwiseOr(1 << UInt64(index), ordering: .releasing)
  }

  /// Whether the orchestra changed the value since the last call.
  func takeChange(_ index: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(index)
    return changed.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue & bit != 0
  }

  // MARK: PERFORM

  /// Follows Csound's value at `pointer` from now on, or none.
  ///
  /// A value that a host wrote at any time wins over the orchestra's.
  @_noLocks
  func follow(_ index: Int, _ pointer: UnsafeMutablePointer<Double>?) {
    pointers[index] = pointer
    guard let pointer else { return }
    let value = cells[index].load(ordering: .acquiring)
    shadows[index] = value
    if owned.load(ordering: .acquiring) >> UInt64(index) & 1 == 1 {
      pointer.pointee = Double(bitPattern: value)
    } else {
      publish(index, pointer.pointee)
    }
  }

  /// Before a k-cycle: what hosts wrote goes to Csound.
  @_noLocks
  func giveToCsound() {
    var bits: UInt64 = 0
    if written.load(ordering: .relaxed) != 0 {
      bits = written.exchange(0, ordering: .acquiringAndReleasing)
    }
    while bits != 0 {
      let index = bits.trailingZeroBitCount
      bits &= bits &- 1
      let value = cells[index].load(ordering: .acquiring)
      shadows[index] = value
      pointers[index]?.pointee = Double(bitPattern: value)
    }
    if (pulsing.load(ordering: .relaxed) | high | low) != 0 { givePulses() }
  }

  @_noLocks
  private func givePulses() {
    var bits = pulsing.exchange(0, ordering: .acquiringAndReleasing) | high | low
    let wereHigh = high
    high = 0
    low = 0
    while bits != 0 {
      let index = bits.trailingZeroBitCount
      let bit: UInt64 = 1 << UInt64(index)
      bits &= bits &- 1
      if wereHigh & bit != 0 {
        set(index, 0)
        low |= bit
      } else if pulses[index].load(ordering: .acquiring) > 0 {
        pulses[index].wrappingSubtract(1, ordering: .relaxed)
        set(index, 1)
        high |= bit
      }
    }
  }

  @_noLocks
  private func set(_ index: Int, _ value: Double) {
    pointers[index]?.pointee = value
    cells[index].store(value.bitPattern, ordering: .releasing)
    shadows[index] = value.bitPattern
  }

  /// After a k-cycle: what the orchestra wrote goes to hosts.
  @_noLocks
  func takeFromCsound() {
    for index in 0..<ChannelChunk.size {
      guard let pointer = pointers[index] else { continue }
      let value = pointer.pointee
      if value.bitPattern != shadows[index] { publish(index, value) }
    }
  }

  @_noLocks
  private func publish(_ index: Int, _ value: Double) {
    // Fails where a host wrote the cell in the meantime: the later one wins.
    let (done, _) = cells[index].compareExchange(
      expected: shadows[index], desired: value.bitPattern, ordering: .acquiringAndReleasing)
    if !done { return }
    shadows[index] = value.bitPattern
    changed.bitwiseOr(1 << UInt64(index), ordering: .releasing)
  }
}
