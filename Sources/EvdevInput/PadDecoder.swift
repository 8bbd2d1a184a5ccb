public import Events

/// Decodes a pad's node: sticks, triggers, cross and buttons. Pure; owned by one thread.
public struct PadDecoder: ~Copyable {
  private struct Entry: BitwiseCopyable {
    enum Meaning { case nothing, stick, trigger, hatX, hatY }
    var meaning = Meaning.nothing
    var control = ControlID(rawValue: 0)
    var inverted = false
    var scale: AxisScale?
  }

  private static var noControl: UInt8 { @_noLocks get { 0xFF } }
  private let stamp: EventStamp
  private let axes: UnsafeMutablePointer<Entry>
  private let keys: UnsafeMutablePointer<UInt8>
  private let last: UnsafeMutablePointer<Double>
  // The cross, as buttons and as a hat.
  private var held: (up: Bool, down: Bool, left: Bool, right: Bool) = (false, false, false, false)
  private var hat: (x: Int, y: Int) = (0, 0)

  /// - Parameter axes: what the kernel says of each axis; an axis without a range is not decoded.
  public init(
    node: EvdevNode, axes infos: [UInt16: AxisInfo], device: DeviceIndex, number: UInt16
  ) {
    stamp = EventStamp(device: device, node: number, role: .pad)
    axes = .allocate(capacity: AxisCode.count)
    axes.initialize(repeating: Entry(), count: AxisCode.count)
    keys = .allocate(capacity: KeyCode.count)
    keys.initialize(repeating: PadDecoder.noControl, count: KeyCode.count)
    last = .allocate(capacity: 32)
    last.initialize(repeating: 0, count: 32)
    let layout = PadLayout(node: node)
    for (code, axis) in layout.axes {
      guard let info = infos[code] else { continue }
      var entry = Entry()
      entry.scale = AxisScale(info)
      switch axis {
      case .stick(let control, let inverted):
        (entry.meaning, entry.control, entry.inverted) = (.stick, control, inverted)
      case .trigger(let control): (entry.meaning, entry.control) = (.trigger, control)
      case .hatX: entry.meaning = .hatX
      case .hatY: entry.meaning = .hatY
      }
      axes[Int(code)] = entry
    }
    for (code, control) in layout.keys {
      keys[Int(code)] = UInt8(truncatingIfNeeded: control.rawValue)
    }
  }

  deinit {
    axes.deallocate()
    keys.deallocate()
    last.deallocate()
  }

  /// Adds what `event` changes; nothing where a value stays what it was.
  @_noLocks
  public mutating func decode(_ event: EvdevEvent, into buffer: EventBuffer) {
    if event.type == EventType.absolute {
      if event.code < 0x40 { decodeAxis(event, buffer) }
    } else if event.type == EventType.key {
      // 2 is the repetition of a held key.
      if event.code < 0x300 && event.value != 2 { decodeKey(event, buffer) }
    }
  }

  /// Whether a code that reads `value` when the pad is plugged in is one that nobody touches.
  @_noLocks
  func isAtRest(axis code: UInt16, value: Int32) -> Bool {
    let entry = axes[Int(code)]
    if entry.meaning != .stick { return false }
    guard let scale = entry.scale else { return true }
    return scale.isAtRestInMiddle(value)
  }

  @_noLocks
  private mutating func decodeAxis(_ event: EvdevEvent, _ buffer: EventBuffer) {
    let entry = axes[Int(event.code)]
    switch entry.meaning {
    case .nothing: return
    case .stick:
      guard let scale = entry.scale else { return }
      let value = scale.bipolar(event.value, inverted: entry.inverted)
      change(entry.control, value, event.time, buffer)
    case .trigger:
      guard let scale = entry.scale else { return }
      change(entry.control, scale.unipolar(event.value), event.time, buffer)
    case .hatX:
      hat.x = direction(event.value)
      changeCross(event.time, buffer)
    case .hatY:
      hat.y = -direction(event.value)
      changeCross(event.time, buffer)
    }
  }

  @_noLocks
  private mutating func decodeKey(_ event: EvdevEvent, _ buffer: EventBuffer) {
    let number = keys[Int(event.code)]
    if number == PadDecoder.noControl { return }
    let control = ControlID(rawValue: UInt32(number))
    let isDown = event.value != 0
    // `==` of a synthesised Hashable is not known to be free of locks; the numbers are.
    switch control.rawValue {
    case 12: held.up = isDown
    case 13: held.down = isDown
    case 14: held.left = isDown
    case 15: held.right = isDown
    default:
      change(control, isDown ? 1 : 0, event.time, buffer)
      return
    }
    changeCross(event.time, buffer)
  }

  @_noLocks
  private func changeCross(_ time: Nanoseconds, _ buffer: EventBuffer) {
    let up = held.up || hat.y > 0
    let down = held.down || hat.y < 0
    let left = held.left || hat.x < 0
    let right = held.right || hat.x > 0
    // Both at once, as worn pads do, is neither.
    change(ControlID(rawValue: 6), (right ? 1 : 0) - (left ? 1 : 0), time, buffer)
    change(ControlID(rawValue: 7), (up ? 1 : 0) - (down ? 1 : 0), time, buffer)
    change(ControlID(rawValue: 12), up ? 1 : 0, time, buffer)
    change(ControlID(rawValue: 13), down ? 1 : 0, time, buffer)
    change(ControlID(rawValue: 14), left ? 1 : 0, time, buffer)
    change(ControlID(rawValue: 15), right ? 1 : 0, time, buffer)
  }

  @_noLocks
  private func change(
    _ control: ControlID, _ value: Double, _ time: Nanoseconds, _ buffer: EventBuffer
  ) {
    let index = Int(control.rawValue)
    if last[index] == value { return }
    last[index] = value
    stamp.value(control, value, time, into: buffer)
  }
}

@_noLocks
private func direction(_ value: Int32) -> Int { value > 0 ? 1 : value < 0 ? -1 : 0 }
