public import Events

/// Decodes the events of one node, whatever its role, into frames of control events. Pure; owned by one thread.
///
/// A frame that says something ends with `frameEnd`; one that says nothing adds nothing.
public struct NodeDecoder: ~Copyable {
  /// The most events that one evdev event adds.
  static var roomPerEvent: Int { @_noLocks get { 40 } }

  public let role: EvdevNode.Role
  /// What it counts; valid as long as the decoder.
  public let counters: SourceCounters
  /// When the events were read that are decoded now, or `.none`: what lateness is counted from.
  var readTime = Nanoseconds.none
  private let stamp: EventStamp
  // Only keeps what `wanted` points to.
  private let raw: RawSelection
  private let wanted: RawBits
  private var pad: PadDecoder
  private var motion: MotionDecoder
  private var touchpad: TouchpadDecoder
  private var frameHasEvents = false
  /// The time of the last frame that said something, or `.none`.
  private(set) var latestTime = Nanoseconds.none
  private var lossCount = 0
  // Where in the buffer the first event of the frame stands that was told before its end, which brings the time.
  private var firstTold = Int.max

  /// nil where the node is nothing that Sonde reads, or a sensor whose units nobody knows.
  ///
  /// - Parameter raw: may be changed while events are decoded.
  public init?(
    node: EvdevNode, axes: [UInt16: AxisInfo], device: DeviceIndex, number: UInt16,
    raw: RawSelection = RawSelection()
  ) {
    guard let role = node.role else { return nil }
    // The two decoders that do not fit the role have nothing to decode.
    let nothing = EvdevNode(name: "")
    let isPad = role == .pad
    let isTouchpad = role == .touchpad
    let counters = SourceCounters()
    guard
      let motion = role == .motion
        ? MotionDecoder(
          node: node, axes: axes, device: device, number: number, counters: counters)
        : MotionDecoder(idle: device, number: number, counters: counters)
    else {
      counters.deallocate()
      return nil
    }
    self.role = role
    self.counters = counters
    self.raw = raw
    wanted = raw.bits
    self.motion = motion
    let place: ControlID.Node = isPad ? .pad : isTouchpad ? .touchpad : .motion
    stamp = EventStamp(device: device, node: number, role: place)
    pad = PadDecoder(node: isPad ? node : nothing, axes: axes, device: device, number: number)
    touchpad = TouchpadDecoder(
      node: isTouchpad ? node : nothing, axes: isTouchpad ? axes : [:], device: device,
      number: number)
  }

  deinit { counters.deallocate() }

  /// Adds what `event` says. `buffer` should have room for 40 events.
  @_noLocks
  public mutating func decode(_ event: EvdevEvent, into buffer: EventBuffer) {
    let before = buffer.room
    if !wanted.isEmpty { tellRaw(event, buffer) }
    if event.type == EventType.synchronization {
      if event.code == SyncCode.report { endFrame(event.time, buffer, before) }
      return
    }
    switch role {
    case .pad: pad.decode(event, into: buffer)
    case .motion: motion.decode(event)
    case .touchpad: touchpad.decode(event, into: buffer)
    }
    if buffer.room != before { frameHasEvents = true }
  }

  @_noLocks
  private mutating func tellRaw(_ event: EvdevEvent, _ buffer: EventBuffer) {
    if wanted.isRecording { stamp.raw(.raw, event, into: buffer) }
    // 2 is the repetition of a held key.
    if event.value == 2 && event.type == EventType.key { return }
    if wanted.contains(type: event.type, code: event.code) {
      firstTold = min(firstTold, buffer.count)
      stamp.raw(.value, event, into: buffer)
    }
  }

  /// The kernel lost events of this node: the true state follows by `decode`, as far as it differs from what was told.
  ///
  /// The event's value is how often that happened since the node was opened.
  @_noLocks
  public mutating func lost(_ time: Nanoseconds, into buffer: EventBuffer) {
    lossCount += 1
    counters.noteOverrun()
    firstTold = min(firstTold, buffer.count)
    stamp.turn(.lost, time, count: lossCount, into: buffer)
    frameHasEvents = true
  }

  /// Adds what is not at rest when the node is opened, and a frame end if that is anything.
  ///
  /// - Parameters:
  ///   - axes: the values of the axes; of a touchpad without its fingers, which `decode` tells.
  ///   - pressed: the keys that are down.
  public mutating func start(
    axes: [UInt16: AxisInfo], pressed: [UInt16], time: Nanoseconds, into buffer: EventBuffer
  ) {
    for (code, info) in axes.sorted(by: { $0.key < $1.key }) {
      if role == .pad && pad.isAtRest(axis: code, value: info.value) { continue }
      if role == .touchpad && code >= AxisCode.touchSlot { continue }
      let event = EvdevEvent(
        time: time, type: EventType.absolute, code: code, value: info.value)
      // The raw value of an axis that reads 0 is at rest too.
      if info.value != 0 || role == .pad { decode(event, into: buffer) }
    }
    for code in pressed {
      let event = EvdevEvent(time: time, type: EventType.key, code: code, value: 1)
      decode(event, into: buffer)
    }
    motion.waitForClock()
  }

  @_noLocks
  private mutating func endFrame(_ time: Nanoseconds, _ buffer: EventBuffer, _ before: Int) {
    var frameTime = time
    switch role {
    case .pad: break
    case .motion:
      frameTime = motion.endFrame(time, into: buffer)
      // All of a frame has one time. Where the buffer was emptied within it, what is left of it begins at 0.
      if firstTold != .max {
        buffer.stamp(frameTime, from: firstTold <= buffer.count ? firstTold : 0)
      }
    case .touchpad: touchpad.endFrame(time, into: buffer)
    }
    firstTold = .max
    if buffer.room != before { frameHasEvents = true }
    if !frameHasEvents { return }
    frameHasEvents = false
    latestTime = frameTime
    counters.note(arrival: time, time: frameTime, read: readTime)
    stamp.turn(.frameEnd, frameTime, into: buffer)
  }
}
