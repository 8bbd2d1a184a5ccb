import CLinux
import Glibc
import Synchronization

/// A request for realtime priority to the desktop's broker, for users to whom no limit grants it (D-Bus:
/// `org.freedesktop.RealtimeKit1` on the system bus).
///
/// RealtimeKit wants to be safe from threads that never pause: a grant limits how long this process's realtime threads
/// may compute at a stretch. One that does it longer becomes an ordinary thread; the process goes on.
final class RealtimeKitRequest: Sendable {
  enum Answer: Sendable, Equatable {
    case granted(priority: Int32)
    /// Reads on from "RealtimeKit": `is not installed`.
    case refused(String)
  }

  private struct State {
    var answer: Answer?
    var isCancelled = false
  }

  /// Long, for a machine on which the bus has to start RealtimeKit first.
  private static let patience: Int64 = 10_000_000_000

  private let address: String
  private let thread: Int32
  private let priority: Int32
  private let deadline = monotonicNow() + RealtimeKitRequest.patience
  private let state = Mutex(State())
  private let answered = try? WakeUp()

  /// Asks, on a thread of its own, because libdbus waits without end for a bus that takes no connections.
  ///
  /// - Parameters:
  ///   - thread: the kernel's number of a thread of this process (C: `gettid`).
  ///   - priority: 1…99; where RealtimeKit allows less, its place in that smaller range.
  ///   - address: the bus; nil for the system's.
  init(thread: Int32, priority: Int32, address: String? = nil) {
    self.thread = thread
    self.priority = priority
    self.address =
      address ?? environmentVariable("DBUS_SYSTEM_BUS_ADDRESS")
      ?? "unix:path=/run/dbus/system_bus_socket"
    var identity = pthread_t()
    let argument = Unmanaged.passRetained(self)
    if pthread_create(&identity, nil, runRequest, argument.toOpaque()) == 0 {
      pthread_detach(identity)
    } else {
      argument.release()
      state.withLock { $0.answer = .refused("could not be asked: there are too many threads") }
    }
  }

  /// What it answered, or nil while it has not.
  var answer: Answer? { state.withLock { $0.answer } }

  /// Waits for the answer, for so many nanoseconds at the most.
  func wait(_ patience: Int64) -> Answer? {
    let end = monotonicNow() + patience
    if let answered, let poll = try? EventPoll(capacity: 1),
      (try? poll.add(answered.descriptor, tag: 0)) != nil
    {
      while answer == nil && monotonicNow() < end {
        poll.wait(milliseconds: Int32(clamping: (end - monotonicNow()) / 1_000_000 + 1))
      }
    }
    return answer
  }

  /// Does not want it any more: the thread ends, and its number will be another's.
  func cancel() { state.withLock { $0.isCancelled = true } }

  fileprivate func run() {
    let found: Answer
    do throws(BusFailure) {
      found = .granted(priority: try ask())
    } catch {
      found = .refused(error.text)
    }
    state.withLock { $0.answer = found }
    answered?.signal()
  }

  private var millisecondsLeft: Int32 {
    Int32(clamping: max((deadline - monotonicNow()) / 1_000_000, 0))
  }

  private func ask() throws(BusFailure) -> Int32 {
    let bus = try RealtimeKitBus(address)
    try bus.greet(millisecondsLeft)
    let most = Int32(clamping: try bus.property("MaxRealtimePriority", millisecondsLeft))
    let time = try bus.property("RTTimeUSecMax", millisecondsLeft)
    if most < 1 || time < 1 { throw BusFailure(text: "grants no realtime priority") }
    if state.withLock({ $0.isCancelled }) { throw BusFailure(text: "was not waited for") }
    let limited = sonde_limit_realtime_time(UInt64(time))
    if limited != 0 {
      throw BusFailure(text: "wants a limit that cannot be set: \(ErrorNumber(rawValue: limited))")
    }
    let granted = realtimePriority(priority, of: most)
    try bus.makeRealtime(thread, priority: granted, millisecondsLeft)
    return granted
  }
}

private func runRequest(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Unmanaged<RealtimeKitRequest>.fromOpaque(argument!).takeRetainedValue().run()
  return nil
}
