public import Events

/// When frames play: a straight line through one known frame.
@frozen
public struct TimeMap: BitwiseCopyable, Sendable, Equatable {
  /// A frame, counted from the start of the run, and the moment at which it plays.
  public var frame: Int64
  public var time: Nanoseconds
  public var nanosecondsPerFrame: Double

  @_noLocks
  public init(frame: Int64, time: Nanoseconds, nanosecondsPerFrame: Double) {
    self.frame = frame
    self.time = time
    self.nanosecondsPerFrame = nanosecondsPerFrame
  }

  /// When `frame` plays.
  @_noLocks
  public func time(of frame: Int64) -> Nanoseconds {
    let distance = Double(frame &- self.frame) * nanosecondsPerFrame
    return time &+ Int64(distance + (distance < 0 ? -0.5 : 0.5))
  }
}
