public import Events
import LinuxIO
import Mapping

/// `sonde record`: writes what the devices do as a take, without a mapping and without sound.
public final class RecordSession {
  private static let tick: Nanoseconds = 50_000_000

  private let path: String
  private let isRaw: Bool
  private let report: (SessionReport) -> Void
  private let signals: SignalSource

  /// - Parameters:
  ///   - path: the take to write, `-` for standard output.
  ///   - isRaw: whether to add the kernel's undecoded events.
  /// - Throws: `SessionError.system` when the system gives no descriptors.
  public init(path: String, isRaw: Bool, report: @escaping (SessionReport) -> Void)
    throws(SessionError)
  {
    self.path = path
    self.isRaw = isRaw
    self.report = report
    do throws(SystemError) { signals = try SignalSource() } catch { throw .system(error) }
  }

  /// Records until it is interrupted or `duration` is over; returns how many events were seen.
  ///
  /// - Throws: `SessionError` when the file or the devices cannot be opened.
  public func run(for duration: Nanoseconds?) throws(SessionError) -> Int {
    let recording = try TakeRecording(path)
    let count: Int
    do throws(SystemError) {
      count = try record(recording, for: duration)
    } catch {
      throw .system(error)
    }
    // Its notice told why.
    if let failure = recording.failure {
      throw .system("The take is not whole: \(failure).")
    }
    return count
  }

  private func record(
    _ recording: TakeRecording, for duration: Nanoseconds?
  ) throws(SystemError) -> Int {
    let commands = SPSCRing<EngineCommand>(capacity: 64)
    let hub = try InputHub(
      Program(MappingDescription()), output: commands, isLive: true, isRecordingRaw: isRaw
    ) { [report] in report(.input($0)) }
    let poll = try EventPoll(capacity: 8)
    let alarm = try AlarmTimer()
    for descriptor in hub.descriptors + [signals.descriptor, alarm.descriptor] {
      do throws(ErrorNumber) { _ = try poll.add(descriptor, tag: 0) } catch {
        throw SystemError(error, call: "epoll_ctl")
      }
    }
    try hub.thread.start(priority: 60)
    let start = monotonicNow()
    alarm.set(at: start, every: RecordSession.tick)
    var count = 0
    var isEnded = false
    while !isEnded {
      let now = monotonicNow()
      hub.service(at: now)
      count += take(hub, recording)
      recording.flush(at: now, report: report)
      while signals.next() != nil { isEnded = true }
      if let duration, now - start >= duration { isEnded = true }
      if recording.failure != nil { isEnded = true }
      if isEnded { break }
      poll.wait()
      while poll.next() != nil {}
      _ = alarm.clear()
    }
    let end = monotonicNow()
    hub.stop(at: end)
    count += take(hub, recording)
    recording.finish(at: end, report: report)
    if hub.thread.tap.dropCount > 0 {
      report(.notice("\(hub.thread.tap.dropCount) events came too fast and are not in the take."))
    }
    return count
  }

  private func take(_ hub: InputHub, _ recording: TakeRecording) -> Int {
    recording.declare(hub.descriptions)
    var count = 0
    while let event = hub.thread.tap.pop() {
      recording.take(event)
      report(.event(event))
      count += 1
    }
    return count
  }
}
