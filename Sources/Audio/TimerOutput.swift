public import Events
import LinuxIO

/// No device: the system clock wants frames at exactly the nominal rate.
///
/// Plays when `--audio none` asks for it, and while a device is away.
public final class TimerOutput: @unchecked Sendable {
  public let format: AudioFormat
  private let clock: FrameClock
  // Frame `originFrame` plays at `origin`: T(n) = origin + (n − originFrame) / rate.
  private var origin: Nanoseconds
  private var originFrame: Int64
  /// Frames written since the start of the run.
  public private(set) var written: Int64

  // The first `wait` sets the time of frame 0.
  private var isStarted = false

  public init(format: AudioFormat) {
    self.format = format
    clock = FrameClock(rate: format.rate)
    origin = 0
    originFrame = 0
    written = 0
  }

  /// Takes over from a device that was lost, without a jump in time.
  @_noLocks
  public func takeOver(written: Int64, map: TimeMap, now: Nanoseconds) {
    self.written = written
    isStarted = true
    origin = map.time(of: written)
    originFrame = written
    // The device stood still for a while before it was given up: what it would have played is not made up for.
    if origin < now { origin = now }
  }

  public var map: TimeMap {
    @_noLocks get {
      // Anchored near the frames in question, so that the product in `time(of:)` stays exact.
      TimeMap(
        frame: written, time: time(of: written),
        nanosecondsPerFrame: 1_000_000_000 / Double(clock.rate))
    }
  }

  @_noLocks
  private func time(of frame: Int64) -> Nanoseconds {
    origin &+ clock.time(of: frame &- originFrame)
  }

  @_noLocks
  public func wait() -> AudioWake {
    if !isStarted {
      isStarted = true
      origin = monotonicNow()
    }
    let period = Int64(format.period)
    let buffer = Int64(format.buffer)
    let due = time(of: written &- buffer &+ period)
    let before = monotonicNow()
    if due > before &+ 100_000_000 {
      sleepUntil(before &+ 100_000_000)
      return .frames(0)
    }
    sleepUntil(due)
    let now = monotonicNow()
    let played = originFrame &+ clock.frame(at: now &- origin)
    let free = buffer &- (written &- played)
    if free > buffer &+ period {
      // As a device would: silence was played, and time goes on from here.
      let length = now &- time(of: written)
      origin = now
      originFrame = written
      return .xrun(length: length)
    }
    let whole = min(free, buffer) / period
    return .frames(Int(whole &* period))
  }

  /// Silence: there is nothing to capture from.
  @_noLocks
  public func read(into block: UnsafeMutablePointer<Double>, frames: Int) {
    for index in 0..<(frames &* format.inputChannels) { block[index] = 0 }
  }

  @_noLocks
  public func write(frames: Int) { written &+= Int64(frames) }
}
