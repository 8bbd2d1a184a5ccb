import CALSA
import Events
import Glibc
import LinuxIO

/// A sound card's playback, through ALSA, and its capture where both run by one clock.
///
/// Opened and closed on CONTROL or before the run; everything else belongs to the thread that performs.
public final class ALSAOutput: @unchecked Sendable {
  public let format: AudioFormat
  private let alsa: ALSADevice
  private let conversion: SampleConversion
  private let samples: UnsafeMutableRawPointer
  private var loop: DelayLockedLoop
  private var isClosed = false
  private var isCaptureClosed = false
  // How long nothing moved, and the state of the line between two waits.
  private var lastProgress: Nanoseconds = 0
  private var isRunning = false
  private let capture: LinkedCapture?
  // Frames that are wanted before anything was captured, and whether the frames wanted now were.
  private var uncaptured = 0
  private var hasCaptured = false
  private var captureFailures = 0
  private var pace = DevicePace()
  private var restarts = RestartSilence()
  /// Whether the capture side is gone while the other plays on.
  public private(set) var hasLostCapture = false
  /// Frames written since the start of the run.
  public private(set) var written: Int64 = 0
  /// The frame of the run at which the device's own position was last 0.
  public private(set) var origin: Int64 = 0
  public private(set) var map: TimeMap
  /// Frames that lie behind the buffer (in a USB bus, in a sound server), as far as the device has told: the most
  /// that two looks in a row agreed on.
  public private(set) var addedFrames = 0
  private var lastAddition = 0
  /// How often the position was so far off the line that it was not believed.
  public private(set) var outlierCount = 0

  /// Opens `name` and negotiates; what was granted is in `format`, and may have another rate.
  ///
  /// - Throws: `AudioError` that names the device and says what to do.
  public init(_ name: String, _ request: AudioRequest) throws(AudioError) {
    let opening = try openALSA(name, request)
    alsa = opening.device
    format = opening.format
    conversion = SampleConversion(
      format: opening.samples, channels: format.channels, deviceChannels: format.deviceChannels)
    let bytes = format.buffer * format.deviceChannels * opening.samples.bytes
    samples = .allocate(byteCount: bytes, alignment: 16)
    samples.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    capture =
      format.inputChannels > 0
      ? LinkedCapture(request.inputDevice ?? name, beside: alsa, format) : nil
    loop = DelayLockedLoop(rate: format.rate, period: format.period)
    map = TimeMap(
      frame: 0, time: monotonicNow(), nanosecondsPerFrame: 1e9 / Double(format.rate))
  }

  /// Closes the device; CONTROL only, when nobody performs with it any more. A second call does nothing.
  public func close() {
    if isClosed { return }
    isClosed = true
    closeCapture()
    closeALSA(alsa)
  }

  /// Whether the device moves: it plays silence until it does, a second at the most, and is as it was opened then. Not
  /// while PERFORM has it.
  func isMoving() -> Bool {
    let isMoving = ALSATrial(alsa: alsa, format: format).isMoving(silence: samples)
    // Both were stopped; the other is prepared with it, unless a plugin lies between.
    if let capture { _ = capture.alsa.prepare() }
    return isMoving
  }

  /// Whether this device captures as well, as long as that side is not closed; CONTROL, or before the run.
  public var isDuplex: Bool { capture != nil && !isCaptureClosed }

  /// Whether it captures, as far as PERFORM knows.
  var isCapturing: Bool { @_noLocks get { capture != nil ? !hasLostCapture : false } }

  /// The channels that the device captures.
  public var captureChannels: Int { capture?.conversion.deviceChannels ?? 0 }

  /// Closes the capture side; CONTROL, when PERFORM has said that it is lost.
  public func closeCapture() {
    if isCaptureClosed { return }
    isCaptureClosed = true
    capture?.close()
  }

  deinit {
    close()
    samples.deallocate()
  }

  /// Takes the place of another backend: its first frame is the one after `written`.
  @_noLocks
  public func takeOver(written: Int64) { self.written = written }

  /// Waits until whole periods are free, 100 ms at most, and brings `map` up to date.
  @_noLocks
  public func wait() -> AudioWake {
    let before = monotonicNow()
    if lastProgress == 0 { lastProgress = before }
    let result = alsa.waitForDevice(milliseconds: 100)
    var status = alsa.readStatus()
    let now = monotonicNow()
    if status.error == -ENODEV || result == -ENODEV || result == -ENXIO { return .lost }
    switch status.state {
    case SND_PCM_STATE_XRUN: return recover(status, now)
    case SND_PCM_STATE_SUSPENDED:
      let resumed = alsa.resume()
      if resumed == -EAGAIN {
        // Asked for in vain, and waiting for a suspended device does not wait.
        sleepUntil(now &+ 10_000_000)
        return idle(now)
      }
      return resumed < 0 ? .lost : restart(length: 0, now)
    case SND_PCM_STATE_DISCONNECTED: return .lost
    case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: follow(status)
    case SND_PCM_STATE_PREPARED:
      begin(status)
      status = alsa.readStatus()
      if status.state == SND_PCM_STATE_RUNNING {
        follow(status)
      } else {
        expectStart(status, now)
      }
      uncaptured = status.available
    default: return result < 0 ? .lost : idle(now)
    }
    if status.available < format.period {
      // A device that reports errors while it claims to run would be polled in a tight loop.
      return result < 0 ? .lost : idle(now)
    }
    if !isCaptured() { return idle(now) }
    lastProgress = now
    // One period, even if more are free: then each is heard as soon as it is computed, and not with the last.
    return .frames(format.period)
  }

  // Starts the device with silence in its buffer: then it is known when the next frame plays before the frame is
  // computed, however long that takes.
  @_noLocks
  private func begin(_ status: ALSADevice.Status) {
    isRunning = false
    let queued = format.buffer &- status.available
    let silent =
      restarts.silentPeriods(of: format.periods, at: monotonicNow()) &* format.period &- queued
    if silent > 0 {
      let bytes = silent &* format.deviceChannels &* conversion.format.bytes
      for offset in 0..<bytes { samples.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
      _ = alsa.write(samples, frames: silent)
    }
    origin = written &- Int64(max(silent, 0) &+ queued)
    // A plugin that does not start now does when its buffer is full.
    _ = alsa.start()
  }

  // Whether the frames that are wanted now have been captured, as far as anything captures.
  @_noLocks
  private func isCaptured() -> Bool {
    hasCaptured = false
    if hasLostCapture { return true }
    guard let alsa = capture?.alsa else { return true }
    if uncaptured >= format.period {
      uncaptured &-= format.period
      return true
    }
    var available = alsa.readAvailable()
    if available >= 0 {
      if available < format.period {
        // Two periods and 20 ms: far longer than one clock's two sides lie apart.
        _ = alsa.waitForDevice(
          milliseconds: Int32(truncatingIfNeeded: 2000 &* format.period / format.rate &+ 20))
        available = alsa.readAvailable()
      }
    }
    if available >= format.period {
      captureFailures = 0
      hasCaptured = true
      return true
    }
    captureFailures &+= 1
    // Both stop at an xrun and in a suspended machine, and the playback's status tells; a side that stopped alone is
    // given up for now.
    let hasStopped = available == -EPIPE ? true : available == -ESTRPIPE
    if hasStopped {
      if captureFailures < 10 {
        sleepUntil(monotonicNow() &+ 1_000_000)
        return false
      }
    } else if available >= 0 {
      if captureFailures < 3 { return false }
    }
    alsa.unlink()
    hasLostCapture = true
    return true
  }

  // Nothing to do: looked up from waiting, or a device that has stopped moving.
  @_noLocks
  private func idle(_ now: Nanoseconds) -> AudioWake {
    now &- lastProgress > patience(period: format.period, rate: format.rate) ? .lost : .frames(0)
  }

  @_noLocks
  private func follow(_ status: ALSADevice.Status) {
    learnAddition(status.delay &- (format.buffer &- status.available))
    // Some plugins give no time stamp; then there is only the moment of asking.
    let time = status.time > 0 ? status.time : monotonicNow()
    if !isRunning {
      isRunning = true
      loop.reset()
      pace = DevicePace()
    }
    pace.keep(written &- Int64(status.delay), rate: format.rate)
    switch loop.observe(frame: written &- Int64(status.delay), time: time) {
    case .ignored: outlierCount &+= 1
    case .followed, .seeded: break
    }
    map = loop.map
  }

  @_noLocks
  private func learnAddition(_ frames: Int) {
    let before = lastAddition
    lastAddition = frames
    let agreed = min(before, frames)
    // Never more than a second: a delay that is not known yet can be any number.
    if agreed < format.rate { addedFrames = max(addedFrames, agreed) }
  }

  // Not started yet: the first frame will play when the buffer is full, which is soon.
  @_noLocks
  private func expectStart(_ status: ALSADevice.Status, _ now: Nanoseconds) {
    isRunning = false
    let queued = Int64(format.buffer &- status.available)
    map = TimeMap(
      frame: written &- max(queued, 0), time: now,
      nanosecondsPerFrame: 1_000_000_000 / Double(format.rate))
  }

  @_noLocks
  private func recover(_ status: ALSADevice.Status, _ now: Nanoseconds) -> AudioWake {
    let length = status.trigger > 0 ? max(now &- status.trigger, 0) : 0
    // The other side is prepared with it, unless it stopped for a reason of its own.
    if !hasLostCapture {
      if let capture { _ = capture.alsa.prepare() }
    }
    return alsa.prepare() < 0 ? .lost : restart(length: length, now)
  }

  @_noLocks
  private func restart(length: Nanoseconds, _ now: Nanoseconds) -> AudioWake {
    isRunning = false
    captureFailures = 0
    lastProgress = now
    return .xrun(length: length)
  }

  /// Fetches what was captured, `frames` frames.
  @_noLocks
  public func read(into block: UnsafeMutablePointer<Double>, frames: Int) {
    if hasCaptured {
      capture?.read(into: block, frames: frames)
      return
    }
    for index in 0..<(frames &* format.inputChannels) { block[index] = 0 }
  }

  /// Plays `frames` frames; `wait` finds out what goes wrong with them.
  @_noLocks
  public func write(_ block: UnsafePointer<Double>, frames: Int) {
    conversion.convert(block, frames: frames, to: samples)
    let frameBytes = format.deviceChannels &* conversion.format.bytes
    var done = 0
    while done < frames {
      let count = alsa.write(samples + done &* frameBytes, frames: frames &- done)
      // On an error the rest is not heard, but it counts: it was computed, and time goes on.
      if count <= 0 { break }
      done &+= count
    }
    written &+= Int64(frames)
  }
}
