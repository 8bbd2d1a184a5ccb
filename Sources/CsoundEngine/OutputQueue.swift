/// Frames that are computed and not yet written; PERFORM's alone.
///
/// Where k-cycles do not divide the period, the rest of the last one waits here for the next.
struct OutputQueue {
  private let channels: Int
  private let storage: UnsafeMutablePointer<Double>
  /// The frames that wait.
  private(set) var count = 0

  /// - Parameters:
  ///   - channels: interleaved channels.
  ///   - capacity: the most frames that wait at any time.
  init(channels: Int, capacity: Int) {
    self.channels = channels
    storage = .allocate(capacity: capacity * channels)
    storage.initialize(repeating: 0, count: capacity * channels)
  }

  /// Frees its memory; the last call.
  func deallocate() { storage.deallocate() }

  /// All that waits, oldest first.
  var first: UnsafePointer<Double> { @_noLocks get { UnsafePointer(storage) } }

  /// Where the next frames are computed; they belong to the queue once `append` has been told.
  var end: UnsafeMutablePointer<Double> { @_noLocks get { storage + count &* channels } }

  @_noLocks
  mutating func append(_ frames: Int) { count &+= frames }

  /// Adds silence until `frames` frames wait.
  @_noLocks
  mutating func fill(to frames: Int) {
    var index = count &* channels
    while index < frames &* channels {
      storage[index] = 0
      index &+= 1
    }
    if frames > count { count = frames }
  }

  /// Forgets the first `frames` frames, which were written.
  @_noLocks
  mutating func remove(_ frames: Int) {
    count &-= frames
    let gap = frames &* channels
    for index in 0..<(count &* channels) { storage[index] = storage[gap &+ index] }
  }
}
