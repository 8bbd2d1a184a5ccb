public import Events

/// Decodes the touchpad of a pad: fingers and its button. Pure; owned by one thread.
public struct TouchpadDecoder: ~Copyable {
  private struct Finger: BitwiseCopyable {
    var isDown = false
    var x = 0.0
    var y = 0.0
    // What was told last.
    var toldDown = false
    var toldX = 0.0
    var toldY = 0.0
  }

  private static var fingerCount: Int { @_noLocks get { 10 } }
  private let stamp: EventStamp
  private let fingers: UnsafeMutablePointer<Finger>
  private let scaleX: AxisScale?
  private let scaleY: AxisScale?
  private var slot = 0
  private var isClicked = false

  public init(
    node: EvdevNode, axes: [UInt16: AxisInfo], device: DeviceIndex, number: UInt16
  ) {
    stamp = EventStamp(device: device, node: number, role: .touchpad)
    scaleX = axes[AxisCode.touchX].flatMap { AxisScale($0) }
    scaleY = axes[AxisCode.touchY].flatMap { AxisScale($0) }
    // The kernel's slots begin at 0, 0 and only changes are sent: a first touch at the top left has no position event.
    var finger = Finger()
    finger.x = scaleX?.unipolar(0) ?? 0
    finger.y = 1 - (scaleY?.unipolar(0) ?? 1)
    fingers = .allocate(capacity: TouchpadDecoder.fingerCount)
    fingers.initialize(repeating: finger, count: TouchpadDecoder.fingerCount)
    // The kernel tells only changes of the slot.
    slot = Int(axes[AxisCode.touchSlot]?.value ?? 0)
  }

  deinit { fingers.deallocate() }

  /// Notes what `event` says; the button at once, fingers with the frame's end.
  @_noLocks
  public mutating func decode(_ event: EvdevEvent, into buffer: EventBuffer) {
    if event.type == EventType.key && event.code == KeyCode.left && event.value != 2 {
      let isDown = event.value != 0
      if isDown == isClicked { return }
      isClicked = isDown
      stamp.value(ControlID(rawValue: 30), isDown ? 1 : 0, event.time, into: buffer)
    }
    if event.type != EventType.absolute { return }
    if event.code == AxisCode.touchSlot { slot = Int(event.value) }
    if slot < 0 || slot >= TouchpadDecoder.fingerCount { return }
    switch event.code {
    case AxisCode.touchTracking: fingers[slot].isDown = event.value >= 0
    case AxisCode.touchX:
      if let scaleX { fingers[slot].x = scaleX.unipolar(event.value) }
    case AxisCode.touchY:
      // The kernel counts from the top.
      if let scaleY { fingers[slot].y = 1 - scaleY.unipolar(event.value) }
    default: break
    }
  }

  /// Adds what the frame changed: a finger's place before its touch.
  @_noLocks
  public func endFrame(_ time: Nanoseconds, into buffer: EventBuffer) {
    var index = 0
    while index < TouchpadDecoder.fingerCount {
      tell(index, time, buffer)
      index += 1
    }
  }

  @_noLocks
  private func tell(_ index: Int, _ time: Nanoseconds, _ buffer: EventBuffer) {
    let finger = fingers[index]
    let first = 128 + 3 * UInt32(truncatingIfNeeded: index)
    // A lifted finger stays where it was.
    if finger.isDown && finger.x != finger.toldX {
      fingers[index].toldX = finger.x
      stamp.value(ControlID(rawValue: first), finger.x, time, into: buffer)
    }
    if finger.isDown && finger.y != finger.toldY {
      fingers[index].toldY = finger.y
      stamp.value(ControlID(rawValue: first + 1), finger.y, time, into: buffer)
    }
    if finger.isDown != finger.toldDown {
      fingers[index].toldDown = finger.isDown
      stamp.value(ControlID(rawValue: first + 2), finger.isDown ? 1 : 0, time, into: buffer)
    }
  }
}
