import LabSupport
import LinuxIO
import Synchronization

/// Where a sound card was when, as its driver says, looked at from outside while something plays.
final class CardPositionRecording: Sendable {
  /// A time in which the card ran without a gap: frame n of the card played at `origin` + n / rate.
  struct Run {
    /// Nanoseconds on CLOCK_MONOTONIC.
    let origin: Double
    let start: Int64
    let end: Int64
    /// How far the positions are off the line: half of them less than this, in nanoseconds.
    let scatter: Double
  }

  private struct Look {
    let time: Int64
    let frame: Int64
  }

  private let isEnding = Atomic<Bool>(false)
  private let looks = Mutex<[Look]>([])
  private let thread = Mutex<BackgroundThread?>(nil)

  init(card: Int) throws {
    let started = try BackgroundThread { [self] in
      while !isEnding.load(ordering: .acquiring) {
        if let status = SoundCardStatus(card: card), status.state == "RUNNING", status.time > 0 {
          let look = Look(time: status.time, frame: status.hardwarePosition)
          looks.withLock { $0.append(look) }
        }
        pause(seconds: 0.005)
      }
    }
    thread.withLock { $0 = started }
  }

  /// Ends the recording; the runs in which the card played at `rate`, without those of a few looks.
  func finish(rate: Double) -> [Run] {
    isEnding.store(true, ordering: .releasing)
    thread.withLock { $0.take() }?.join()
    let frameTime = 1e9 / rate
    var groups: [[(time: Int64, origin: Double)]] = []
    for look in looks.withLock({ $0 }) {
      let origin = Double(look.time) - Double(look.frame) * frameTime
      // A card that was started anew counts from 0 again.
      if let last = groups.last?.last, abs(last.origin - origin) < 3e6 {
        groups[groups.count - 1].append((look.time, origin))
      } else {
        groups.append([(look.time, origin)])
      }
    }
    return groups.filter { $0.count >= 10 }.map { group in
      let middle = group.map(\.origin).sorted()[group.count / 2]
      let scatter = group.map { abs($0.origin - middle) }.sorted()[group.count / 2]
      return Run(
        origin: middle, start: group[0].time, end: group[group.count - 1].time, scatter: scatter)
    }
  }
}
