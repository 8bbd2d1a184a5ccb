/// Where frames go and come from, and what time it is there; one of a few final classes, so that no call is dynamic.
///
/// The thread that performs calls `wait`, `map`, `read` (where there is input) and `write`, in this order, again and
/// again. A backend does not keep its output alive (PERFORM counts no references): whoever made the output does,
/// until PERFORM has left it.
public enum AudioBackend: BitwiseCopyable, @unchecked Sendable {
  case alsa(Unmanaged<ALSAOutput>)
  case jack(Unmanaged<JACKOutput>)
  case timer(Unmanaged<TimerOutput>)

  public init(_ output: ALSAOutput) { self = .alsa(.passUnretained(output)) }

  public init(_ output: JACKOutput) { self = .jack(.passUnretained(output)) }

  public init(_ output: TimerOutput) { self = .timer(.passUnretained(output)) }

  public var format: AudioFormat {
    @_noLocks get {
      switch self {
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.format }
      case .jack(let output): output._withUnsafeGuaranteedRef { $0.format }
      case .timer(let output): output._withUnsafeGuaranteedRef { $0.format }
      }
    }
  }

  /// Waits until frames are wanted, 100 ms at most.
  @_noLocks
  public func wait() -> AudioWake {
    switch self {
    case .alsa(let output): output._withUnsafeGuaranteedRef { $0.wait() }
    case .jack(let output): output._withUnsafeGuaranteedRef { $0.wait() }
    case .timer(let output): output._withUnsafeGuaranteedRef { $0.wait() }
    }
  }

  /// Takes the place of another backend: the first frame that it plays is frame `written` of the run.
  @_noLocks
  public func takeOver(written: Int64) {
    switch self {
    case .alsa(let output): output._withUnsafeGuaranteedRef { $0.takeOver(written: written) }
    case .jack(let output): output._withUnsafeGuaranteedRef { $0.takeOver(written: written) }
    // The timer stands in for a device; that needs the device's time as well.
    case .timer: break
    }
  }

  /// When frames play, as known since the last `wait`.
  public var map: TimeMap {
    @_noLocks get {
      switch self {
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.map }
      case .jack(let output): output._withUnsafeGuaranteedRef { $0.map }
      case .timer(let output): output._withUnsafeGuaranteedRef { $0.map }
      }
    }
  }

  /// Frames written since the start of the run.
  public var written: Int64 {
    @_noLocks get {
      switch self {
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.written }
      case .jack(let output): output._withUnsafeGuaranteedRef { $0.written }
      case .timer(let output): output._withUnsafeGuaranteedRef { $0.written }
      }
    }
  }

  /// The frame of the run at which the device's own position was last 0; below 0 where silence came before the run.
  public var origin: Int64 {
    @_noLocks get {
      switch self {
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.origin }
      case .jack, .timer: 0
      }
    }
  }

  /// Whether a device that captures as well has lost that side, and plays on.
  public var hasLostCapture: Bool {
    @_noLocks get {
      switch self {
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.hasLostCapture }
      case .jack, .timer: false
      }
    }
  }

  /// Fetches what was captured while the last `frames` frames played, interleaved, ±1 full scale, with
  /// `format.inputChannels` channels; as many frames as `wait` wanted. Silence where nothing was captured.
  @_noLocks
  public func read(into block: UnsafeMutablePointer<Double>, frames: Int) {
    switch self {
    case .alsa(let output): output._withUnsafeGuaranteedRef { $0.read(into: block, frames: frames) }
    case .jack(let output): output._withUnsafeGuaranteedRef { $0.read(into: block, frames: frames) }
    case .timer(let output):
      output._withUnsafeGuaranteedRef { $0.read(into: block, frames: frames) }
    }
  }

  /// Plays `frames` frames, interleaved, ±1 full scale; as many as `wait` wanted.
  @_noLocks
  public func write(_ block: UnsafePointer<Double>, frames: Int) {
    switch self {
    case .alsa(let output): output._withUnsafeGuaranteedRef { $0.write(block, frames: frames) }
    case .jack(let output): output._withUnsafeGuaranteedRef { $0.write(block, frames: frames) }
    case .timer(let output): output._withUnsafeGuaranteedRef { $0.write(frames: frames) }
    }
  }

  /// Frames that the device holds behind its buffer, as far as it has told.
  public var addedFrames: Int {
    @_noLocks get {
      switch self {
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.addedFrames }
      case .jack(let output): output._withUnsafeGuaranteedRef { $0.addedFrames }
      case .timer: 0
      }
    }
  }

  /// How many frames longer than its buffer the device keeps what it captures, as far as it has told; below 0 where
  /// it captures nothing.
  public var captureFrames: Int {
    @_noLocks get {
      switch self {
      // Both sides of a sound card start together: what is captured comes out one buffer later.
      case .alsa(let output): output._withUnsafeGuaranteedRef { $0.isCapturing ? 0 : -1 }
      case .jack(let output): output._withUnsafeGuaranteedRef { $0.captureFrames }
      case .timer: -1
      }
    }
  }

  /// Frames that are computed ahead: one k-cycle where they do not divide the period.
  @_noLocks
  public func aheadFrames(ksmps: Int) -> Int { format.period % ksmps == 0 ? 0 : ksmps }

  /// The latency that steady timing needs before its margin: from the moment at which a frame is heard back to
  /// the one at which it must be computed.
  @_noLocks
  public func leastLatencyFrames(ksmps: Int) -> Int {
    format.buffer &+ addedFrames &+ aheadFrames(ksmps: ksmps)
  }
}
