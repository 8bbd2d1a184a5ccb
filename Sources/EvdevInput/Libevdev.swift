import CEvdev
import Glibc
import LinuxIO

/// The one place that calls libevdev.
struct Libevdev: ~Copyable {
  enum Next { case event, lost, nothing, gone }

  private let device: OpaquePointer
  private let file: FileDescriptor
  var descriptor: Int32 { file.number }

  /// Takes over an open node: its times are on CLOCK_MONOTONIC, and nothing older waits in it.
  ///
  /// - Throws: `ErrorNumber`, such as `ENOTTY` for what is no event node.
  init(_ file: consuming FileDescriptor) throws(ErrorNumber) {
    let number = file.number
    // The kernel clears its queue when the clock changes, and says that events were lost; there were none for us.
    // So: clock, then drain, and only then the state is read.
    if sonde_evdev_set_clock(number, CLOCK_MONOTONIC) < 0 { throw ErrorNumber(rawValue: errno) }
    var discarded = [UInt8](repeating: 0, count: 64 * MemoryLayout<input_event>.size)
    while read(number, &discarded, discarded.count) > 0 {}
    var created: OpaquePointer?
    let result = libevdev_new_from_fd(number, &created)
    guard result == 0, let created else { throw ErrorNumber(rawValue: -result) }
    device = created
    self.file = file
  }

  deinit { libevdev_free(device) }

  /// The node as the kernel describes it. Its driver is not to be had this way.
  func node(driver: String) -> EvdevNode {
    func codes(_ type: Int32, _ count: Int) -> CodeSet {
      CodeSet(
        (0..<UInt16(count)).filter {
          libevdev_has_event_code(device, UInt32(type), UInt32($0)) == 1
        })
    }
    return EvdevNode(
      // Absent for some drivers.
      name: libevdev_get_name(device).map { String(cString: $0) } ?? "",
      vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
      product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)), driver: driver,
      properties: CodeSet(
        (0..<32).map(UInt16.init).filter { libevdev_has_property(device, UInt32($0)) == 1 }),
      keys: codes(EV_KEY, KeyCode.count), axes: codes(EV_ABS, AxisCode.count),
      miscellaneous: codes(EV_MSC, 8))
  }

  /// Every absolute axis, with its value when the node was opened or last read.
  func axes() -> [UInt16: AxisInfo] {
    var axes: [UInt16: AxisInfo] = [:]
    for code in 0..<UInt16(AxisCode.count) {
      guard let info = libevdev_get_abs_info(device, UInt32(code)) else { continue }
      axes[code] = AxisInfo(
        value: libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(code)),
        minimum: info.pointee.minimum, maximum: info.pointee.maximum, fuzz: info.pointee.fuzz,
        flat: info.pointee.flat, resolution: info.pointee.resolution)
    }
    return axes
  }

  /// The keys that are down.
  func pressedKeys() -> [UInt16] {
    (0..<UInt16(KeyCode.count)).filter {
      libevdev_get_event_value(device, UInt32(EV_KEY), UInt32($0)) != 0
    }
  }

  /// Every slot of a touchpad: a finger that is there, or (`tracking` −1) where the last one was.
  func touches() -> [(slot: Int32, tracking: Int32, x: Int32, y: Int32)] {
    let count = libevdev_get_num_slots(device)
    if count <= 0 { return [] }
    return (0..<UInt32(count)).map { slot in
      (
        Int32(slot), libevdev_get_slot_value(device, slot, UInt32(ABS_MT_TRACKING_ID)),
        libevdev_get_slot_value(device, slot, UInt32(ABS_MT_POSITION_X)),
        libevdev_get_slot_value(device, slot, UInt32(ABS_MT_POSITION_Y))
      )
    }
  }

  /// The slot that the next finger's events are about, until they name another.
  var currentSlot: Int32 { libevdev_get_current_slot(device) }

  /// Keeps the device from every other program, or gives it back.
  func setGrabbed(_ isGrabbed: Bool) throws(ErrorNumber) {
    let result = libevdev_grab(device, isGrabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    if result < 0 { throw ErrorNumber(rawValue: -result) }
  }

  /// The next event, without waiting.
  ///
  /// - Parameter isResyncing: after `lost`, until `nothing`: gives what differs from what was read before.
  @_noLocks
  func next(isResyncing: Bool, _ event: inout EvdevEvent) -> Next {
    let device = device
    var found = input_event()
    let nothing = Int32.min
    let result: Int32 = _unsafePerformance {
      let flags = isResyncing ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL
      // EINTR: a signal came, the read did not happen.
      var result: Int32
      repeat {
        result = libevdev_next_event(device, UInt32(flags.rawValue), &found)
      } while result == -EINTR
      return result == -EAGAIN ? nothing : result
    }
    if result < 0 { return result == nothing ? .nothing : .gone }
    event = EvdevEvent(
      time: Int64(found.time.tv_sec) * 1_000_000_000 + Int64(found.time.tv_usec) * 1000,
      type: found.type, code: found.code, value: found.value)
    // LIBEVDEV_READ_STATUS_SYNC is 1: SYN_DROPPED when reading, a difference when resyncing.
    return result == 1 && !isResyncing ? .lost : .event
  }
}
