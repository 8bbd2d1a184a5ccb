public import Events
public import LinuxIO

/// Why a node is not read.
public enum EvdevError: Error, Sendable, CustomStringConvertible {
  /// It could not be opened; `ErrorNumber.noPermission` may pass, when udev sets its access control list.
  case cannotOpen(SystemError)
  /// It is not an event node of the kernel.
  case notAnEventNode(path: String, ErrorNumber)
  /// It is a keyboard, a mouse, a touchscreen: nothing that Sonde reads.
  case notForSonde(path: String, name: String)
  /// It is a motion sensor, but its driver does not say what its numbers mean.
  case unknownUnits(path: String, name: String)

  public var description: String {
    switch self {
    case .cannotOpen(let error): error.description
    case .notAnEventNode(let path, let number): "\(path) is not an event node (\(number.name))"
    case .notForSonde(let path, let name):
      "\(path) (\(name)) is neither a pad nor a motion sensor, so it is not read"
    case .unknownUnits(let path, let name):
      "\(path) (\(name)) is a motion sensor whose driver gives no resolution, so its numbers have no "
        + "unit; it is not used"
    }
  }
}

/// Reads one event node: opened read-only, never grabbed unless asked.
///
/// Made on CONTROL; then `start` and `read` belong to the INPUT thread.
public final class EvdevReader {
  /// How a node is opened, so that tests and sandboxes can do it their way.
  public typealias Opener = (_ path: String) throws(SystemError) -> FileDescriptor

  public enum Outcome: Sendable {
    /// Nothing waits any more.
    case drained
    /// The buffer is nearly full: empty it and read again, before waiting (events may wait outside the descriptor).
    case more
    /// The device was unplugged; close it.
    case gone
  }

  public let path: String
  /// As the kernel describes it, which is more than sysfs says where that is out of reach.
  public let node: EvdevNode
  public let role: EvdevNode.Role
  /// The ranges of its axes.
  public let axes: [UInt16: AxisInfo]
  /// Which undecoded codes are told besides.
  public let raw: RawSelection
  /// To register with `EventPoll`.
  public let descriptor: Int32

  private let counters: SourceCounters
  private let libevdev: Libevdev
  // Behind a pointer: a stored variable of a class would be checked for exclusive access at every event.
  private let decoder: UnsafeMutablePointer<NodeDecoder>
  private var isResyncing = false

  /// How the node has been doing. Any thread.
  public var statistics: SourceStatistics { counters.statistics }

  /// The time of the last frame, which for a sensor may be some milliseconds ahead, or `.none`. Not while it is read.
  public var latestTime: Nanoseconds { decoder.pointee.latestTime }

  /// The smallest buffer that `read` can work with.
  public static let minimumBufferCapacity = 256

  /// Opens a node.
  ///
  /// - Parameters:
  ///   - device: the registry's number, carried by every event.
  ///   - number: 5 for event5.
  ///   - driver: the kernel driver as `DeviceNode.driver` has it; some name their buttons differently.
  /// - Throws: `EvdevError`.
  public init(
    path: String, device: DeviceIndex, number: UInt16, driver: String = "",
    raw: RawSelection = RawSelection(),
    open: Opener = { path throws(SystemError) in
      try FileDescriptor(opening: path, nonBlocking: true)
    }
  ) throws(EvdevError) {
    let file: FileDescriptor
    do throws(SystemError) { file = try open(path) } catch { throw .cannotOpen(error) }
    do throws(ErrorNumber) { libevdev = try Libevdev(file) } catch {
      throw .notAnEventNode(path: path, error)
    }
    self.path = path
    self.raw = raw
    descriptor = libevdev.descriptor
    node = libevdev.node(driver: driver)
    axes = libevdev.axes()
    guard let role = node.role else { throw .notForSonde(path: path, name: node.name) }
    self.role = role
    guard
      let decoder = NodeDecoder(
        node: node, axes: axes, device: device, number: number, raw: raw)
    else { throw .unknownUnits(path: path, name: node.name) }
    counters = decoder.counters
    self.decoder = .allocate(capacity: 1)
    self.decoder.initialize(to: decoder)
  }

  deinit {
    decoder.deinitialize(count: 1)
    decoder.deallocate()
  }

  /// Adds what is not at rest, and a frame end. Once, before the first `read`.
  public func start(_ time: Nanoseconds, into buffer: EventBuffer) {
    decoder.pointee.start(axes: axes, pressed: libevdev.pressedKeys(), time: time, into: buffer)
    func tell(_ code: UInt16, _ value: Int32) {
      let event = EvdevEvent(time: time, type: EventType.absolute, code: code, value: value)
      decoder.pointee.decode(event, into: buffer)
    }
    if role == .touchpad {
      for touch in libevdev.touches() {
        tell(AxisCode.touchSlot, touch.slot)
        tell(AxisCode.touchTracking, touch.tracking)
        tell(AxisCode.touchX, touch.x)
        tell(AxisCode.touchY, touch.y)
      }
      tell(AxisCode.touchSlot, libevdev.currentSlot)
    }
    let end = EvdevEvent(
      time: time, type: EventType.synchronization, code: SyncCode.report, value: 0)
    decoder.pointee.decode(end, into: buffer)
  }

  /// Reads whole frames until nothing waits or `buffer` is nearly full.
  ///
  /// A frame is cut only when it does not fit an empty buffer; its rest then comes with the next call.
  @_noLocks
  public func read(into buffer: EventBuffer) -> Outcome {
    decoder.pointee.readTime = monotonicNow()
    var event = EvdevEvent(time: 0, type: 0, code: 0, value: 0)
    var isBetweenFrames = true
    while true {
      let room = isBetweenFrames ? roomPerFrame : NodeDecoder.roomPerEvent
      if buffer.room < room { return .more }
      switch libevdev.next(isResyncing: isResyncing, &event) {
      case .event:
        decoder.pointee.decode(event, into: buffer)
        isBetweenFrames =
          event.type == EventType.synchronization && event.code == SyncCode.report
      case .lost:
        decoder.pointee.lost(event.time, into: buffer)
        isResyncing = true
        isBetweenFrames = false
      case .nothing:
        if !isResyncing { return .drained }
        // The differences are told; what came since is read as usual.
        isResyncing = false
      case .gone: return .gone
      }
    }
  }

  /// Keeps the device from every other program, or gives it back.
  ///
  /// - Throws: `ErrorNumber.busy` when another program has grabbed it.
  public func setGrabbed(_ isGrabbed: Bool) throws(ErrorNumber) {
    try libevdev.setGrabbed(isGrabbed)
  }
}

// Between frames the buffer has room for a whole one: every axis and key of a pad at once.
private var roomPerFrame: Int { @_noLocks get { 192 } }
