import CALSA
import Events
import Glibc
import LinuxIO

/// A sound card's playback, through ALSA.
///
/// Opened and closed on CONTROL or before the run; everything else belongs to the thread that performs.
public final class ALSAOutput: @unchecked Sendable {
  public let format: AudioFormat
  private let alsa: ALSADevice
  private let conversion: SampleConversion
  private let samples: UnsafeMutableRawPointer
  private var loop: DelayLockedLoop
  private var isClosed = false
  // How long nothing moved, and the state of the line between two waits.
  private var lastProgress: Nanoseconds = 0
  private var isRunning = false
  /// Frames written since the start of the run.
  public private(set) var written: Int64 = 0
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
    loop = DelayLockedLoop(rate: format.rate, period: format.period)
    map = TimeMap(
      frame: 0, time: monotonicNow(), nanosecondsPerFrame: 1e9 / Double(format.rate))
  }

  /// Closes the device; CONTROL only, when nobody performs with it any more. A second call does nothing.
  public func close() {
    if isClosed { return }
    isClosed = true
    closeALSA(alsa)
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
    let status = alsa.readStatus()
    let now = monotonicNow()
    if status.error == -ENODEV || result == -ENODEV || result == -ENXIO { return .lost }
    switch status.state {
    case SND_PCM_STATE_XRUN: return recover(status, now)
    case SND_PCM_STATE_SUSPENDED:
      let resumed = alsa.resume()
      if resumed == -EAGAIN { return idle(now) }
      return resumed < 0 ? .lost : restart(length: 0, now)
    case SND_PCM_STATE_DISCONNECTED: return .lost
    case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: follow(status)
    case SND_PCM_STATE_PREPARED: expectStart(status, now)
    default: return result < 0 ? .lost : idle(now)
    }
    let periods = status.available / format.period
    if periods <= 0 {
      // A device that reports errors while it claims to run would be polled in a tight loop.
      return result < 0 ? .lost : idle(now)
    }
    lastProgress = now
    // A plugin may report more than the buffer just before it notices an xrun.
    return .frames(min(periods &* format.period, format.buffer))
  }

  // Nothing to do: looked up from waiting, or a device that has stopped moving.
  @_noLocks
  private func idle(_ now: Nanoseconds) -> AudioWake {
    let patience = max(
      1_000_000_000, 10_000_000_000 &* Int64(format.period) / Int64(format.rate))
    return now &- lastProgress > patience ? .lost : .frames(0)
  }

  @_noLocks
  private func follow(_ status: ALSADevice.Status) {
    learnAddition(status.delay &- (format.buffer &- status.available))
    // Some plugins give no time stamp; then there is only the moment of asking.
    let time = status.time > 0 ? status.time : monotonicNow()
    if !isRunning {
      isRunning = true
      loop.reset()
    }
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
    return alsa.prepare() < 0 ? .lost : restart(length: length, now)
  }

  @_noLocks
  private func restart(length: Nanoseconds, _ now: Nanoseconds) -> AudioWake {
    isRunning = false
    lastProgress = now
    return .xrun(length: length)
  }

  /// Fetches what was captured, `frames` frames.
  @_noLocks
  public func read(into block: UnsafeMutablePointer<Double>, frames: Int) {
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
