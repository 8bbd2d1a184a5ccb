/// Frames that were captured and that Csound has not heard yet; PERFORM's alone.
///
/// As many frames come in as go out. Where k-cycles do not divide the period, some are computed ahead of what was
/// captured, so the queue begins with a k-cycle of silence then.
struct InputQueue {
  /// Interleaved channels; 0 where Csound takes no input.
  let channels: Int
  private let storage: UnsafeMutablePointer<Double>
  private let capacity: Int
  private var first = 0
  private var count = 0

  /// - Parameter capacity: the most frames that are waiting at any time.
  init(channels: Int, capacity: Int) {
    self.channels = channels
    self.capacity = channels > 0 ? capacity : 0
    storage = .allocate(capacity: max(self.capacity * channels, 1))
    storage.initialize(repeating: 0, count: max(self.capacity * channels, 1))
  }

  /// Frees its memory; the last call.
  func deallocate() { storage.deallocate() }

  /// Begins anew with so many frames of silence: at the start, and with another device.
  @_noLocks
  mutating func restart(silence frames: Int) {
    first = 0
    count = frames < capacity ? frames : capacity
    for index in 0..<(count &* channels) { storage[index] = 0 }
  }

  /// Where the next frames belong: room for `frames`, which belong to the queue from now on.
  @_noLocks
  mutating func append(_ frames: Int) -> UnsafeMutablePointer<Double> {
    if first > 0 { closeGap() }
    precondition(count &+ frames <= capacity)
    let end = storage + count &* channels
    count &+= frames
    return end
  }

  /// The next `frames` frames, valid until more are appended; nil where there are none.
  @_noLocks
  mutating func next(_ frames: Int) -> UnsafePointer<Double>? {
    if count < frames { return nil }
    let start = storage + first &* channels
    first &+= frames
    count &-= frames
    return UnsafePointer(start)
  }

  @_noLocks
  private mutating func closeGap() {
    let gap = first &* channels
    for index in 0..<(count &* channels) { storage[index] = storage[gap &+ index] }
    first = 0
  }
}
