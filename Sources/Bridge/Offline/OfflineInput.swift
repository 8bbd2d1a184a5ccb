import Events
import Mapping
import Widgets

/// Runs a mapping on a take without threads or clocks: each call brings the commands of the next stretch of time.
final class OfflineInput {
  /// Where the runtime's commands arrive; emptied after every event.
  let commands = SPSCRing<EngineCommand>(capacity: 1 << 16)
  let program: Program

  private let runtime: Runtime
  private let feed: TakeFeed?
  private var waiting: [InputRequest] = []
  private var waitingHead = 0
  private var isAtEnd = false
  private var isFinished = false

  /// - Parameter take: nil is a take without input.
  init(_ program: Program, take: TakeReader?) {
    self.program = program
    runtime = Runtime(program, output: commands)
    feed = take.map { reader in
      TakeFeed(
        reader, roster: DeviceRoster(program.description.devices), program: program)
    }
  }

  /// What the user should know about the take.
  var notes: [String] { feed?.notes ?? [] }

  /// The time of the last line read.
  var time: Nanoseconds { feed?.endTime ?? 0 }

  /// Plays everything before `limit`; gives each command and each event on.
  ///
  /// - Returns: whether the take goes on after that.
  /// - Throws: `TakeError` with the line that cannot be used.
  func advance(
    before limit: Nanoseconds, command: (EngineCommand) -> Void, event: (ControlEvent) -> Void
  ) throws(TakeError) -> Bool {
    guard let feed else { return false }
    while true {
      while waitingHead < waiting.count {
        let request = waiting[waitingHead]
        if request.time >= limit { return true }
        waitingHead += 1
        perform(request)
        if case .event = request.kind { event(request.event) }
        while let next = commands.pop() { command(next) }
      }
      waiting.removeAll(keepingCapacity: true)
      waitingHead = 0
      // Lines that bring nothing (MIDI, unknown widgets) make a take last as well.
      if !feed.hasNext && feed.endTime >= limit { return true }
      if isAtEnd { return finish(at: feed.endTime, command) }
      if let next = try feed.next() { waiting = next } else { isAtEnd = true }
    }
  }

  private func finish(at time: Nanoseconds, _ command: (EngineCommand) -> Void) -> Bool {
    if !isFinished {
      isFinished = true
      runtime.releaseAll(time: time)
      while let next = commands.pop() { command(next) }
    }
    return false
  }

  private func perform(_ request: InputRequest) {
    switch request.kind {
    case .event: runtime.process(request.event)
    case .bind: runtime.bind(request.device, to: request.number, time: request.time)
    case .unbind: runtime.unbind(request.device, from: request.number, time: request.time)
    case .open, .install, .stop: break
    }
  }
}
