import Events
import LinuxIO
import Mapping
import Widgets

/// Plays a take in real time: reads ahead on CONTROL, and lets INPUT do each thing at its time.
final class TakePlayer {
  /// How far ahead of its time the take is read.
  private static let ahead: Nanoseconds = 500_000_000

  private let feed: TakeFeed
  private let hub: InputHub
  private var waiting: [InputRequest] = []
  private var waitingHead = 0
  private var isAtEnd = false
  private var notesTold = 0
  /// When the take's last line is due; nil until it was read.
  private(set) var endTime: Nanoseconds?

  init(_ reader: TakeReader, hub: InputHub, program: Program) {
    self.hub = hub
    let names = program.description.widgets.map(\.name)
    feed = TakeFeed(
      reader, roster: hub.roster,
      widgets: Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) }))
  }

  /// Hands on what is due soon. Call it ten times a second at least.
  func advance(at time: Nanoseconds, report: (SessionReport) -> Void) {
    while true {
      while waitingHead < waiting.count {
        if !hub.thread.schedule.push(waiting[waitingHead]) { return hub.thread.wake() }
        waitingHead += 1
      }
      waiting.removeAll(keepingCapacity: true)
      waitingHead = 0
      if isAtEnd || feed.endTime > time + TakePlayer.ahead { break }
      do throws(TakeError) {
        if let next = try feed.next() {
          waiting = next
        } else {
          isAtEnd = true
        }
      } catch {
        isAtEnd = true
        report(.notice(error.description))
      }
      if isAtEnd { endTime = feed.endTime }
    }
    while notesTold < feed.notes.count {
      report(.notice(feed.notes[notesTold]))
      notesTold += 1
    }
    hub.thread.wake()
  }
}
