import CALSA
public import Events
import LinuxIO

/// A capture device with a clock of its own: its sound is resampled, a little faster or slower as need be, so that
/// it neither runs dry nor piles up under whatever plays.
///
/// Opened and closed on CONTROL or before the run; everything else belongs to the thread that performs.
public final class IndependentCapture: @unchecked Sendable {
  public let name: String
  /// What the device granted; `channels` are those that are resampled.
  public let format: AudioFormat
  private let channels: Int
  private let alsa: ALSADevice
  private let conversion: CaptureConversion
  private let resampler: Resampler
  private var isClosed = false
  // What the device gave, as it gave it, and converted.
  private let samples: UnsafeMutableRawPointer
  private let converted: UnsafeMutablePointer<Double>
  // Captured frames that may still be needed; the first has the number `storeStart` in the stream.
  private let store: UnsafeMutablePointer<Float>
  private let storeFrames: Int
  private var storeStart: Int64 = 0
  private var stored = 0
  // The next frame for the resampler, and what it made.
  private var fed: Int64 = 0
  private let made: UnsafeMutablePointer<Float>
  private let madeFrames: Int

  private var loop: DelayLockedLoop
  private var follower: ClockFollower
  /// From a frame's capture to the end of the block that it is part of, as the clock of what plays counts.
  public private(set) var delay: Nanoseconds
  private let longestDelay: Nanoseconds
  private var lastProgress: Nanoseconds = 0
  private var isRunning = false
  /// How often the stream was broken: frames came too late, or the device had an xrun.
  public private(set) var gapCount = 0

  private var captured: Int64 { @_noLocks get { storeStart &+ Int64(stored) } }

  /// Opens `name` as `init` does, on a thread of its own that is left alone when it takes too long.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for a sound server that does not answer.
  ///   - isCancelled: asked again and again whether the device is still wanted.
  /// - Throws: `AudioError` that names the device and says what to do; also when `isCancelled`.
  public static func open(
    _ name: String, beside output: AudioFormat, patience: Nanoseconds = 5 * .perSecond,
    isCancelled: () -> Bool = { false }
  ) throws(AudioError) -> IndependentCapture {
    try BackgroundOpening<IndependentCapture>.open(
      subject: "The capture device \(name)",
      remedy: "restart the sound server behind it, or choose a sound card (-iadc:hw:0)",
      patience: patience, isCancelled: isCancelled,
      { () throws(AudioError) in try IndependentCapture(name, beside: output) },
      closing: { $0.close() })
  }

  /// Opens a lost device as `init` does, and waits until it moves, a second at the most: a stalled one can be opened too.
  ///
  /// - Throws: `AudioError`, also where it stands still.
  public static func reopen(_ name: String, beside output: AudioFormat) throws(AudioError)
    -> IndependentCapture
  {
    let capture = try IndependentCapture(name, beside: output)
    if ALSATrial(alsa: capture.alsa, format: capture.format).isMoving() { return capture }
    capture.close()
    throw AudioError("The capture device \(name) stands still; unplug it and plug it in again.")
  }

  /// Opens `name` to be heard beside a device of `format`. May wait for ever for a sound server that has stopped.
  ///
  /// - Throws: `AudioError` that names the device and says what to do.
  public init(_ name: String, beside output: AudioFormat) throws(AudioError) {
    let wanted = AudioRequest(
      rate: output.rate, channels: output.inputChannels, period: output.period,
      // Room for a performer that comes late; it adds no delay.
      periods: max(4, 2 * output.periods, output.rate / 5 / max(output.period, 1)))
    let opening = try openALSA(name, wanted, .capture)
    let format = opening.format
    let channels = min(format.deviceChannels, output.inputChannels)
    guard let resampler = Resampler(channels: channels, from: format.rate, to: output.rate)
    else {
      closeALSA(opening.device)
      throw AudioError(
        "The capture device \(name) cannot be resampled with \(channels) channels (128 at the most); set nchnls_i to fewer."
      )
    }
    self.name = name
    self.format = format
    self.channels = output.inputChannels
    self.resampler = resampler
    alsa = opening.device
    conversion = CaptureConversion(
      format: opening.samples, deviceChannels: format.deviceChannels, channels: channels)
    samples = .allocate(
      byteCount: format.buffer * format.deviceChannels * opening.samples.bytes, alignment: 16)
    converted = .allocate(capacity: format.buffer * channels)
    let clock = FrameClock(rate: format.rate)
    longestDelay = clock.time(of: Int64(format.buffer)) + 500_000_000
    storeFrames = 2 * format.buffer + format.rate
    store = .allocate(capacity: storeFrames * channels)
    store.initialize(repeating: 0, count: storeFrames * channels)
    madeFrames = max(output.buffer, 32768)
    made = .allocate(capacity: madeFrames * channels)
    made.initialize(repeating: 0, count: madeFrames * channels)
    loop = DelayLockedLoop(rate: format.rate, period: format.period)
    follower = ClockFollower(captureRate: format.rate, rate: output.rate)
    // The period that is being captured, what the filter wants to know of the future, and 2 ms for a late look.
    delay =
      FrameClock(rate: output.rate).time(of: Int64(output.buffer))
      + clock.time(of: Int64(format.period + resampler.lookAhead)) + 2_000_000
  }

  /// Closes the device; CONTROL only, when nobody performs with it any more. A second call does nothing.
  public func close() {
    if isClosed { return }
    isClosed = true
    closeALSA(alsa)
  }

  deinit {
    close()
    resampler.deallocate()
    samples.deallocate()
    converted.deallocate()
    store.deallocate()
    made.deallocate()
  }

  /// Fetches `frames` frames, which belong to the frames from `first` on of what plays with `map`.
  ///
  /// - Returns: whether the device is still there; its frames are silence if not.
  @_noLocks
  public func read(
    into block: UnsafeMutablePointer<Double>, frames: Int, first: Int64, map: TimeMap
  ) -> Bool {
    let isThere = capture()
    let count = min(frames, madeFrames)
    let begin = map.time(of: first)
    let end = map.time(of: first &+ Int64(count))
    var done = 0
    if isThere {
      if loop.isSeeded { done = resample(count, from: begin, to: end) }
    }
    spread(done, into: block, of: frames)
    return isThere
  }

  // MARK: the device

  @_noLocks
  private func capture() -> Bool {
    let now = monotonicNow()
    if lastProgress == 0 { lastProgress = now }
    let status = alsa.readStatus()
    if status.error < 0 { return false }
    switch status.state {
    case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: break
    case SND_PCM_STATE_PREPARED:
      if alsa.start() < 0 { return false }
      isRunning = false
      return isPatient(now)
    case SND_PCM_STATE_XRUN:
      gapCount &+= 1
      isRunning = false
      if alsa.prepare() < 0 { return false }
      return alsa.start() >= 0
    case SND_PCM_STATE_SUSPENDED:
      isRunning = false
      let resumed = alsa.resume()
      if resumed == -EAGAIN { return isPatient(now) }
      return resumed >= 0
    default: return false
    }
    let before = captured
    takeFrames(status.available)
    if captured == before { return isPatient(now) }
    lastProgress = now
    if !isRunning {
      isRunning = true
      loop.reset()
    }
    let time = status.time > 0 ? status.time : now
    loop.observe(frame: before &+ Int64(max(status.delay, status.available)), time: time)
    return true
  }

  @_noLocks
  private func isPatient(_ now: Nanoseconds) -> Bool {
    now &- lastProgress <= patience(period: format.period, rate: format.rate)
  }

  @_noLocks
  private func takeFrames(_ available: Int) {
    var left = min(available, format.buffer)
    while left > 0 {
      let count = alsa.read(samples, frames: left)
      // What went wrong is found by the next look at the status.
      if count <= 0 { return }
      left &-= count
      conversion.convert(samples, frames: count, to: converted)
      makeRoom(count)
      let place = stored &* conversion.channels
      for index in 0..<(count &* conversion.channels) {
        store[place &+ index] = Float(converted[index])
      }
      stored &+= count
    }
  }

  // Drops what the resampler has, and what lies further back than the store reaches.
  @_noLocks
  private func makeRoom(_ frames: Int) {
    var drop = Int(min(max(fed &- storeStart, 0), Int64(stored)))
    if stored &- drop &+ frames > storeFrames { drop = stored &+ frames &- storeFrames }
    if drop <= 0 { return }
    let gap = drop &* conversion.channels
    stored &-= drop
    storeStart &+= Int64(drop)
    for index in 0..<(stored &* conversion.channels) { store[index] = store[gap &+ index] }
  }

  // MARK: the other clock

  // How many of `frames` frames were made.
  @_noLocks
  private func resample(_ frames: Int, from begin: Nanoseconds, to end: Nanoseconds) -> Int {
    let line = loop.map
    let expected = Double(end &- begin) / line.nanosecondsPerFrame
    let target =
      Double(line.frame) + Double(end &- delay &- line.time) / line.nanosecondsPerFrame
    var step: Double
    switch follower.step(frames: frames, expected: expected, target: target) {
    case .hold: return 0
    case .advance(let length): step = length
    case .jump(let length):
      step = length
      if fed > 0 { gapCount &+= 1 }
      beginAnew(at: Int64(follower.position))
    }
    // The store could not keep what comes next.
    if fed < storeStart {
      gapCount &+= 1
      beginAnew(at: storeStart)
    }
    // The library knows ratios up to 256.
    if step <= Double(frames) / 200 { step = Double(frames) / 200 }
    let ratio = Double(frames) / step
    var done = 0
    while done < frames {
      // No further ahead than it must: what the resampler holds is lost to a jump.
      let needed = Int64(follower.position + step) &+ Int64(2 &* resampler.lookAhead)
      let end = min(needed, captured)
      let offset = Int(fed &- storeStart)
      let input = store + offset &* conversion.channels
      let outcome = resampler.process(
        input, frames: Int(max(end &- fed, 0)), into: made + done &* conversion.channels,
        frames: frames &- done, ratio: ratio)
      fed &+= Int64(outcome.used)
      done &+= outcome.made
      if outcome.used == 0 || outcome.made == 0 { break }
    }
    follower.use(Double(done) / ratio)
    if done < frames { waitLonger(frames &- done, ratio) }
    return done
  }

  @_noLocks
  private func beginAnew(at frame: Int64) {
    resampler.reset()
    fed = max(frame, storeStart)
    follower.begin(at: fed)
  }

  // Frames came later than the device's period lets expect: from now on they have that time.
  @_noLocks
  private func waitLonger(_ missing: Int, _ ratio: Double) {
    gapCount &+= 1
    let time = Double(missing) / ratio * loop.map.nanosecondsPerFrame
    delay = min(delay &+ Nanoseconds(time), longestDelay)
  }

  // From the channels that were captured to those of the block, and silence where nothing was made.
  @_noLocks
  private func spread(_ done: Int, into block: UnsafeMutablePointer<Double>, of frames: Int) {
    let width = conversion.channels
    var index = 0
    for frame in 0..<frames {
      for channel in 0..<channels {
        let source = CaptureConversion.source(of: channel, among: width)
        let isHeard = frame < done ? source >= 0 : false
        block[index] = isHeard ? Double(made[frame &* width &+ source]) : 0
        index &+= 1
      }
    }
  }
}
