import Audio
import Events

/// Where within its k-cycle a note starts, and the p2 that makes Csound start it there (`--sample-accurate`).
struct NoteStart: BitwiseCopyable {
  private let clock: FrameClock
  private let rate: Double
  private let ksmps: Int

  init(rate: Int, ksmps: Int) {
    clock = FrameClock(rate: rate)
    self.rate = Double(rate)
    self.ksmps = ksmps
  }

  /// The frame, from the k-cycle's first one, at which a command that is due at `due` sounds.
  ///
  /// Counted from `cycleFrame`, the k-cycle's place in the run, so that offline it is ⌊t·sr⌋ exactly.
  @_noLocks
  func frame(_ moment: CycleTime, due: Nanoseconds, cycleFrame: Int64) -> Int {
    let time = clock.time(of: cycleFrame) &+ moment.delay(of: due)
    return min(Int(clock.frame(at: time) &- cycleFrame), ksmps &- 1)
  }

  /// p2 in seconds from the k-cycle's start, for a note that starts at `frame` of the next k-cycle.
  ///
  /// Csound rounds p2 to the nearest k-cycle (C: `time2kcnt`) but takes the frame within it from ⌊p2·sr⌋ mod ksmps
  /// (C: `insert_event`). So in the second half of a k-cycle p2 must name the k-cycle before, or the note would
  /// start one k-cycle late; and it must lie in the middle of its frame, since ⌊ ⌋ of a rounded product may fall
  /// one frame short. Before the very first k-cycle there is none, and the note starts in its first half.
  @_noLocks
  func p2(_ frame: Int, isFirstCycle: Bool) -> Double {
    var place = Double(frame) + 0.5
    if place * 2 >= Double(ksmps) {
      place = isFirstCycle ? Double((ksmps - 1) / 2) + 0.25 : place - Double(ksmps)
    }
    return place / rate
  }
}
