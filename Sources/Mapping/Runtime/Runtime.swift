public import Events
internal import Motion

/// Runs a program on the INPUT thread: control events in, engine commands out.
///
/// Created on CONTROL; afterwards every call except `counters` belongs to the INPUT thread: sendable only so that it can
/// get there. Nothing allocates, locks or fails.
public final class Runtime: @unchecked Sendable {
  /// What could not be passed on. Any thread.
  public let counters: RuntimeCounters
  private let output: SPSCRing<EngineCommand>
  private let core: UnsafeMutablePointer<RuntimeCore>

  /// - Parameters:
  ///   - program: the first program. The engine starts with its patch, so no switch is sent.
  ///   - output: at least 64 commands; this thread is its producer.
  ///   - deviceCapacity: one more than the highest device index that is looked at.
  public init(
    _ program: Program, output: SPSCRing<EngineCommand>, deviceCapacity: Int = 64
  ) {
    precondition(output.capacity >= 64, "The ring to the engine is too small")
    counters = RuntimeCounters()
    self.output = output
    core = .allocate(capacity: 1)
    core.initialize(
      to: RuntimeCore(
        program, CommandOutput(output, counters, program.tables), deviceCapacity: deviceCapacity))
  }

  deinit {
    core.pointee.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// The generation of the program that runs.
  public var generation: Int { @_noLocks get { core.pointee.tables.generation } }

  /// Takes one event. Values act at the end of their frame.
  @_noLocks
  public func process(_ event: ControlEvent) { core.pointee.process(event) }

  /// Takes events one after the other.
  @_noLocks
  public func process(_ events: UnsafeBufferPointer<ControlEvent>) {
    var index = 0
    while index < events.count {
      core.pointee.process(events[index])
      index += 1
    }
  }

  /// Sends values that waited for room in the ring; call it when the engine has taken commands and no event comes.
  @_noLocks
  public func sendWaiting() { core.pointee.output.sendWaiting() }

  /// Connects a plugged-in device to a device of the program; one device may play several.
  ///
  /// Its controls that are not at rest act at once.
  /// - Parameters:
  ///   - number: an index into the mapping's devices.
  ///   - opensGates: false after a reload, true when the device is new.
  @_noLocks
  public func bind(
    _ device: DeviceIndex, to number: Int, opensGates: Bool = true, time: Nanoseconds
  ) {
    core.pointee.bind(Int(device), to: number, opensGates: opensGates, time: time)
  }

  /// Takes a device from a device of the program: what it holds is released.
  @_noLocks
  public func unbind(_ device: DeviceIndex, from number: Int, time: Nanoseconds) {
    core.pointee.unbind(Int(device), from: number, time: time)
  }

  /// Whether `device` plays the program's device `number`.
  @_noLocks
  public func isBound(_ device: DeviceIndex, to number: Int) -> Bool {
    core.pointee.isBound(Int(device), to: number)
  }

  /// Whether the ring has room for a switch; if not, the engine stands still: try again later.
  public var canInstall: Bool { @_noLocks get { core.pointee.output.canSwitch } }

  /// Switches to `program`, between two events, and returns the one before for CONTROL to release.
  ///
  /// Lines that both have keep what they remember, devices of the same name stay bound, lines that are gone release
  /// what they hold, and new lines send the value of a control that is not at rest. Needs `canInstall`.
  /// Counting references is CONTROL's work: it retains the program that it hands over, and releases the one that it gets.
  @_noLocks
  public func install(
    _ program: Unmanaged<Program>, time: Nanoseconds
  ) -> Unmanaged<Program> {
    core.pointee.install(program, time: time)
  }

  /// Releases every held note and every pressed button: panic, and the end.
  @_noLocks
  public func releaseAll(time: Nanoseconds) { core.pointee.releaseAll(time: time) }
}
