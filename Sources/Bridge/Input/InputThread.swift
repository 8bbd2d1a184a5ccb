import EvdevInput
import Events
import LinuxIO
import Mapping

/// The INPUT thread: decodes what devices send, runs the mapping, and passes commands on.
///
/// Made and ended on CONTROL, which owns all that it hands over.
final class InputThread: ThreadBody, @unchecked Sendable {
  /// CONTROL pushes, then calls `wake`.
  let requests = SPSCRing<InputRequest>(capacity: 1024)
  /// CONTROL pushes a take's events and bindings ahead of their time, then calls `wake`.
  let schedule = SPSCRing<InputRequest>(capacity: 1 << 17, isResident: false)
  /// INPUT pushes and signals `noticed`.
  let notices = SPSCRing<InputNotice>(capacity: 1024)
  /// Every event as drivers and takes gave it, for recordings and displays.
  let tap = SPSCRing<ControlEvent>(capacity: 1 << 16)
  /// Readable when `notices` has something.
  let noticed: WakeUp

  // INPUT reaches these uncounted, so they are kept here.
  private let runtime: Runtime
  private let buffer = EventBuffer(capacity: 2048)
  private let core: UnsafeMutablePointer<InputCore>
  private let poll: EventPoll
  private let wakeUp: WakeUp
  private let alarm: AlarmTimer
  private var thread: RealtimeThread?

  /// - Throws: `SystemError` when the system gives no descriptors.
  init(runtime: Runtime) throws(SystemError) {
    self.runtime = runtime
    poll = try EventPoll(capacity: InputCore.nodeCapacity + 2)
    wakeUp = try WakeUp()
    alarm = try AlarmTimer()
    noticed = try WakeUp()
    core = .allocate(capacity: 1)
    core.initialize(
      to: InputCore(
        runtime: runtime, poll: poll, alarm: alarm, wakeUp: wakeUp, noticed: noticed,
        buffer: buffer, requests: requests, schedule: schedule,
        notices: notices, tap: tap))
    do throws(ErrorNumber) {
      _ = try poll.add(wakeUp.descriptor, tag: InputCore.wakeTag)
      _ = try poll.add(alarm.descriptor, tag: InputCore.alarmTag)
    } catch {
      throw SystemError(error, call: "epoll_ctl")
    }
  }

  deinit {
    core.pointee.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// Starts the thread; `priority` asks for SCHED_FIFO.
  ///
  /// - Throws: `SystemError` when there is no thread to be had.
  func start(priority: Int32?) throws(SystemError) {
    let thread = try RealtimeThread(name: "sonde-input", priority: priority, body: self)
    thread.askRealtimeKit()
    self.thread = thread
    statistics = thread.statistics
  }

  /// What the thread was granted, and what kept it from its work; stays after `stop`.
  private(set) var statistics = ThreadStatistics()

  /// Brings `statistics` up to date.
  func observe(at time: Nanoseconds, isLast: Bool = false) {
    guard let thread else { return }
    thread.observe(at: time, isLast: isLast)
    statistics = thread.statistics
  }

  /// Asks INPUT to look at its rings.
  func wake() { wakeUp.signal() }

  /// Ends the thread; what it held comes back in `notices`.
  func stop() {
    observe(at: monotonicNow(), isLast: true)
    while !requests.push(.stop) { sleepUntil(monotonicNow() + 1_000_000) }
    wake()
    thread?.join()
    thread = nil
  }

  func run() {
    RealtimeCheck.enter()
    while core.pointee.turn() {}
    RealtimeCheck.exit()
  }
}
