import Events
import LinuxIO
import Mapping

/// Plays a take in real time: reads ahead on CONTROL, and lets INPUT do each thing at its time.
final class TakePlayer {
  /// How far ahead of its time the take is read: longer than a busy machine keeps CONTROL from its work.
  private static let ahead: Nanoseconds = 2 * .perSecond

  private let feed: TakeFeed
  private let hub: InputHub
  private var waiting: [InputRequest] = []
  private var waitingHead = 0
  private var isAtEnd = false
  private var notesTold = 0
  /// When the take's last line is due; nil until it was read.
  private(set) var endTime: Nanoseconds?
  /// Why the take ended before its last line.
  private(set) var failure: TakeError?

  init(_ reader: TakeReader, hub: InputHub, program: Program) {
    self.hub = hub
    feed = TakeFeed(reader, roster: hub.roster, program: program)
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
      if isAtEnd { break }
      // What is read already belongs to the time before the line that was read last.
      if !feed.hasNext && feed.endTime > time + TakePlayer.ahead { break }
      do throws(TakeError) {
        if let next = try feed.next() {
          waiting = next
          continue
        }
      } catch {
        failure = error
      }
      isAtEnd = true
      endTime = feed.endTime
      waiting = feed.leave()
    }
    while notesTold < feed.notes.count {
      report(.notice(feed.notes[notesTold]))
      notesTold += 1
    }
    hub.thread.wake()
  }
}
