import EvdevInput
import Events
import Mapping

/// What CONTROL asks of the INPUT thread; trivially copyable, so that it travels by ring.
///
/// Objects are handed over retained: INPUT owns them until it gives them back in an `InputNotice`.
struct InputRequest: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// Take `event` as if a driver had just seen it: devices that come and go, and their state at that time.
    case event
    /// Wait for the node of `reader` from now on.
    case open
    /// `device` is what the mapping calls its device number `number`.
    case bind
    case unbind
    /// Switch to `program` between two events.
    case install
    /// Release what is held, give all nodes back and end.
    case stop
  }

  private(set) var kind: Kind
  private(set) var device: DeviceIndex = 0
  private(set) var number = 0
  private(set) var event = ControlEvent(.frameEnd, time: 0, device: 0)
  /// When it happened or is to happen: events and bindings.
  private(set) var time: Nanoseconds = 0
  private(set) var reader: Unmanaged<EvdevReader>?
  private(set) var program: Unmanaged<Program>?

  static var stop: InputRequest { InputRequest(kind: .stop) }

  static func event(_ event: ControlEvent) -> InputRequest {
    InputRequest(kind: .event, event: event, time: event.time)
  }

  static func open(_ reader: EvdevReader, device: DeviceIndex) -> InputRequest {
    InputRequest(kind: .open, device: device, reader: .passRetained(reader))
  }

  static func bind(_ device: DeviceIndex, number: Int, at time: Nanoseconds) -> InputRequest {
    InputRequest(kind: .bind, device: device, number: number, time: time)
  }

  static func unbind(_ device: DeviceIndex, number: Int, at time: Nanoseconds) -> InputRequest {
    InputRequest(kind: .unbind, device: device, number: number, time: time)
  }

  static func install(_ program: Program) -> InputRequest {
    InputRequest(kind: .install, program: .passRetained(program))
  }

  /// Lets go of what it holds: nobody will take it.
  func release() {
    reader?.release()
    program?.release()
  }
}

extension SPSCRing where Element == InputRequest {
  /// The oldest request; concrete, so that the realtime check sees through it.
  @_noLocks
  func next() -> InputRequest? { pop() }
}

/// What INPUT tells CONTROL.
struct InputNotice: BitwiseCopyable {
  /// A node that left, or that INPUT gave up at its end; the reader comes back.
  let closed: Unmanaged<EvdevReader>?
  let device: DeviceIndex
  /// A program that is no longer used.
  let retired: Unmanaged<Program>?

  @_noLocks
  init(closed reader: Unmanaged<EvdevReader>, device: DeviceIndex) {
    closed = reader
    self.device = device
    retired = nil
  }

  @_noLocks
  init(retired program: Unmanaged<Program>) {
    closed = nil
    device = 0
    retired = program
  }
}
