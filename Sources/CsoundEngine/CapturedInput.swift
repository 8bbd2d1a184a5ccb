import Audio
import Events

/// What Csound hears: by the device that plays, or by one with a clock of its own; PERFORM's alone.
struct CapturedInput {
  /// What became of one look for frames.
  enum Outcome: BitwiseCopyable {
    case heard
    /// The stream was broken: frames came too late, or the device had an xrun.
    case gap
    /// The device has left since the last look; it is silence from now on.
    case lost
  }

  private var queue: InputQueue
  /// Captures where the backend does not.
  private var capture: Unmanaged<IndependentCapture>?
  // Whether the loss of the backend's own capture side was told.
  private var hasToldLoss = false

  /// - Parameter capacity: the most frames that are waiting at any time.
  init(channels: Int, capacity: Int, capture: IndependentCapture?) {
    queue = InputQueue(channels: channels, capacity: capacity)
    self.capture = capture.map { .passUnretained($0) }
  }

  /// Frees its memory; the last call.
  func deallocate() { queue.deallocate() }

  /// Begins anew with so many frames of silence: at the start, and with another backend.
  @_noLocks
  mutating func restart(silence frames: Int) {
    queue.restart(silence: frames)
    hasToldLoss = false
  }

  /// Hears by `capture` from now on.
  @_noLocks
  mutating func use(_ capture: Unmanaged<IndependentCapture>) { self.capture = capture }

  /// Fetches the frames that were captured while `frames` frames of the backend played.
  @_noLocks
  mutating func hear(_ frames: Int, beside backend: AudioBackend) -> Outcome {
    if queue.channels == 0 { return .heard }
    let place = queue.append(frames)
    guard let capture else {
      backend.read(into: place, frames: frames)
      let isNews = backend.hasLostCapture ? !hasToldLoss : false
      if !isNews { return .heard }
      hasToldLoss = true
      return .lost
    }
    let map = backend.map
    let first = backend.written
    let gaps = capture._withUnsafeGuaranteedRef { $0.gapCount }
    let isThere = capture._withUnsafeGuaranteedRef {
      $0.read(into: place, frames: frames, first: first, map: map)
    }
    if isThere { return capture._withUnsafeGuaranteedRef { $0.gapCount } == gaps ? .heard : .gap }
    // CONTROL closes it when it has been told so. What the backend lost before was told before.
    self.capture = nil
    hasToldLoss = true
    return .lost
  }

  /// What captured sound takes longer than the buffer and what lies behind it; below 0 where nothing is captured.
  @_noLocks
  func delay(beside backend: AudioBackend, _ clock: FrameClock) -> Nanoseconds {
    if queue.channels == 0 { return -1 }
    if let capture {
      let whole = capture._withUnsafeGuaranteedRef { $0.delay }
      let frames = backend.format.buffer &+ backend.addedFrames
      return max(whole &- clock.time(of: Int64(frames)), 0)
    }
    let frames = backend.captureFrames
    return frames < 0 ? -1 : clock.time(of: Int64(frames))
  }

  /// The next `frames` frames, valid until more are heard; nil where there are none.
  @_noLocks
  mutating func next(_ frames: Int) -> UnsafePointer<Double>? {
    queue.channels > 0 ? queue.next(frames) : nil
  }
}
