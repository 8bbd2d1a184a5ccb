import EvdevInput
import Events
import LinuxIO
import Mapping

/// The INPUT thread's state and work.
///
/// Its references are unmanaged, because to count them may lock; `InputThread` keeps the objects alive.
struct InputCore {
  static var nodeCapacity: Int { @_noLocks get { 128 } }
  static var wakeTag: UInt64 { @_noLocks get { .max } }
  static var alarmTag: UInt64 { @_noLocks get { .max - 1 } }

  private struct Node: BitwiseCopyable {
    var reader: Unmanaged<EvdevReader>
    var registration: EventPoll.Registration
    var device: DeviceIndex
    var isOpen: Bool
  }

  /// What changes; behind a pointer, so that no method is mutating.
  private struct State {
    var nodeCount = 0
    var scheduled: InputRequest?
    var waitingProgram: Unmanaged<Program>?
    var isStopping = false
  }

  private let runtime: Unmanaged<Runtime>
  private let poll: Unmanaged<EventPoll>
  private let alarm: Unmanaged<AlarmTimer>
  private let wakeUp: Unmanaged<WakeUp>
  private let noticed: Unmanaged<WakeUp>
  private let buffer: Unmanaged<EventBuffer>
  private let requests: Unmanaged<SPSCRing<InputRequest>>
  private let schedule: Unmanaged<SPSCRing<InputRequest>>
  private let notices: Unmanaged<SPSCRing<InputNotice>>
  private let tap: Unmanaged<SPSCRing<ControlEvent>>

  /// A node's place is its tag in the poll.
  private let nodes: UnsafeMutablePointer<Node>
  private let state: UnsafeMutablePointer<State>

  init(
    runtime: Runtime, poll: EventPoll, alarm: AlarmTimer, wakeUp: WakeUp, noticed: WakeUp,
    buffer: EventBuffer, requests: SPSCRing<InputRequest>, schedule: SPSCRing<InputRequest>,
    notices: SPSCRing<InputNotice>, tap: SPSCRing<ControlEvent>
  ) {
    self.runtime = .passUnretained(runtime)
    self.poll = .passUnretained(poll)
    self.alarm = .passUnretained(alarm)
    self.wakeUp = .passUnretained(wakeUp)
    self.noticed = .passUnretained(noticed)
    self.buffer = .passUnretained(buffer)
    self.requests = .passUnretained(requests)
    self.schedule = .passUnretained(schedule)
    self.notices = .passUnretained(notices)
    self.tap = .passUnretained(tap)
    nodes = .allocateResident(capacity: InputCore.nodeCapacity)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  func deallocate() {
    nodes.deallocate()
    state.deallocate()
  }

  /// Waits once and does what there is to do; false ends the thread.
  @_noLocks
  func turn() -> Bool {
    wait()
    while let event = nextReady() {
      if event.tag == InputCore.wakeTag {
        wakeUp.use { $0.clear() }
      } else if event.tag == InputCore.alarmTag {
        alarm.use { _ = $0.clear() }
      } else {
        read(Int(event.tag))
      }
    }
    while let request = nextRequest() { take(request) }
    playSchedule()
    installWaitingProgram()
    runtime.use { $0.sendWaiting() }
    if !state.pointee.isStopping { return true }
    finish()
    return false
  }

  @_noLocks
  private func wait() {
    // A program that found the ring to the engine full is tried again.
    let milliseconds: Int32 = state.pointee.waitingProgram == nil ? -1 : 2
    poll.use { $0.wait(milliseconds: milliseconds) }
  }

  @_noLocks
  private func nextReady() -> EventPoll.Event? { poll.use { $0.next() } }

  @_noLocks
  private func take(_ event: ControlEvent) {
    tap.use { _ = $0.push(event) }
    runtime.use { $0.process(event) }
  }

  @_noLocks
  private func take(_ events: UnsafeBufferPointer<ControlEvent>) {
    var index = 0
    while index < events.count {
      tap.use { _ = $0.push(events[index]) }
      index += 1
    }
    runtime.use { $0.process(events) }
  }

  @_noLocks
  private func tell(_ notice: InputNotice) {
    notices.use { _ = $0.push(notice) }
    noticed.use { $0.signal() }
  }

  // MARK: Requests

  @_noLocks
  private func nextRequest() -> InputRequest? { requests.use { $0.next() } }

  @_noLocks
  private func take(_ request: InputRequest) {
    switch request.kind {
    case .event: take(request.event)
    case .open: if let reader = request.reader { open(reader, request.device) }
    case .bind: bind(request.device, request.number, request.time)
    case .unbind: unbind(request.device, request.number, request.time)
    case .install:
      // One that was never reached goes back at once.
      if let waiting = state.pointee.waitingProgram { tell(InputNotice(retired: waiting)) }
      state.pointee.waitingProgram = request.program
    case .stop: state.pointee.isStopping = true
    }
  }

  @_noLocks
  private func bind(_ device: DeviceIndex, _ number: Int, _ time: Nanoseconds) {
    runtime.use { $0.bind(device, to: number, time: time) }
  }

  @_noLocks
  private func unbind(_ device: DeviceIndex, _ number: Int, _ time: Nanoseconds) {
    runtime.use { $0.unbind(device, from: number, time: time) }
  }

  @_noLocks
  private func installWaitingProgram() {
    guard let program = state.pointee.waitingProgram else { return }
    let hasRoom: Bool = runtime.use { $0.canInstall }
    if !hasRoom { return }
    state.pointee.waitingProgram = nil
    let time = monotonicNow()
    tell(InputNotice(retired: runtime.use { $0.install(program, time: time) }))
  }

  @_noLocks
  private func finish() {
    let time = monotonicNow()
    runtime.use { $0.releaseAll(time: time) }
    while state.pointee.nodeCount > 0 { close(state.pointee.nodeCount - 1) }
    if let waiting = state.pointee.waitingProgram { tell(InputNotice(retired: waiting)) }
    state.pointee.waitingProgram = nil
  }

  // MARK: Nodes

  @_noLocks
  private func open(_ reader: Unmanaged<EvdevReader>, _ device: DeviceIndex) {
    var free = 0
    while free < state.pointee.nodeCount && nodes[free].isOpen { free += 1 }
    if free == InputCore.nodeCapacity { return tell(InputNotice(closed: reader, device: device)) }
    let descriptor = reader.use { $0.descriptor }
    guard let registration = watch(descriptor, tag: free) else {
      return tell(InputNotice(closed: reader, device: device))
    }
    (nodes + free).initialize(
      to: Node(reader: reader, registration: registration, device: device, isOpen: true))
    if free == state.pointee.nodeCount { state.pointee.nodeCount += 1 }
    // What came between the opening and now.
    read(free)
  }

  @_noLocks
  private func watch(_ descriptor: Int32, tag: Int) -> EventPoll.Registration? {
    poll.use { poll in
      do throws(ErrorNumber) { return try poll.add(descriptor, tag: UInt64(tag)) } catch {
        return nil
      }
    }
  }

  @_noLocks
  private func read(_ index: Int) {
    if index >= state.pointee.nodeCount || !nodes[index].isOpen { return }
    while true {
      buffer.use { $0.removeAll() }
      let outcome = fillBuffer(from: nodes[index].reader)
      take(decodedEvents)
      switch outcome {
      case .more: continue
      case .drained: return
      case .gone: return close(index)
      }
    }
  }

  private var decodedEvents: UnsafeBufferPointer<ControlEvent> {
    @_noLocks get { buffer.use { $0.events } }
  }

  @_noLocks
  private func fillBuffer(from reader: Unmanaged<EvdevReader>) -> EvdevReader.Outcome {
    let buffer = buffer
    // The check cannot see that the buffer's reference is not counted here; `EvdevReader.read` is checked itself.
    return _unsafePerformance { reader.use { reader in buffer.use { reader.read(into: $0) } } }
  }

  @_noLocks
  private func close(_ index: Int) {
    if nodes[index].isOpen {
      let registration = nodes[index].registration
      poll.use { $0.remove(registration) }
      nodes[index].isOpen = false
      tell(InputNotice(closed: nodes[index].reader, device: nodes[index].device))
    }
    while state.pointee.nodeCount > 0 && !nodes[state.pointee.nodeCount - 1].isOpen {
      state.pointee.nodeCount -= 1
    }
  }

  // MARK: Recorded takes

  @_noLocks
  private func playSchedule() {
    let now = monotonicNow()
    while true {
      if state.pointee.scheduled == nil { state.pointee.scheduled = nextScheduled() }
      guard let next = state.pointee.scheduled else { return }
      if next.time > now { return alarm.use { $0.set(at: next.time) } }
      take(next)
      state.pointee.scheduled = nil
    }
  }

  @_noLocks
  private func nextScheduled() -> InputRequest? { schedule.use { $0.next() } }
}

extension Unmanaged {
  /// Calls `body` with the object, without counting the reference.
  @inline(__always)
  fileprivate func use<Result>(_ body: (Instance) -> Result) -> Result {
    _withUnsafeGuaranteedRef(body)
  }
}
