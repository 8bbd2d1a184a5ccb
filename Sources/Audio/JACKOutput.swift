import Events
import LinuxIO
import Synchronization

/// A place in a JACK graph.
///
/// JACK's own thread asks for each block and waits for it; PERFORM computes it. Opened and closed on CONTROL or before
/// the run; everything else belongs to the thread that performs.
public final class JACKOutput: @unchecked Sendable {
  /// As the server runs; another period since the last `AudioWake.resized`.
  public private(set) var format: AudioFormat
  /// The name that the server gave to the client.
  public let name: String
  /// The priority of JACK's own thread, or nil where it does not run in real time.
  public let realtimePriority: Int32?
  /// What the user should know of the connections.
  public let notices: [String]
  private let client: JACKClient
  private let exchange: UnsafeMutablePointer<JACKExchange>
  private var isClosed = false
  private var isAttached = false
  // Whether a block is owed, and what has to be said before it is computed. The first one is owed from the start:
  // it may take longer than a period, as instruments are set up.
  private var isAskedFor = true
  private var gap: Nanoseconds = -1
  private var isResized = false
  private var lastProgress: Nanoseconds = 0
  /// Frames written since the start of the run.
  public private(set) var written: Int64 = 0
  public private(set) var map: TimeMap
  /// The frames between the ports and the sound: a change of them is a change of the period.
  public private(set) var addedFrames = 0

  /// Opens a client, and connects it; the rate is the server's. May wait for ever for a server that has stopped.
  ///
  /// - Throws: `AudioError` that says what to do.
  public init(_ address: JACKAddress, _ request: AudioRequest) throws(AudioError) {
    client = try JACKClient(address, request)
    exchange = client.exchange
    name = client.name
    realtimePriority = client.priority
    notices = client.notices
    format = AudioFormat(
      rate: client.rate, channels: request.channels, deviceChannels: request.channels,
      period: client.period, periods: 1, inputChannels: request.inputChannels)
    map = TimeMap(
      frame: 0, time: monotonicNow(), nanosecondsPerFrame: 1e9 / Double(client.rate))
    observeLatency()
    addedFrames = exchange.pointee.addedFrames.load(ordering: .relaxed)
    takeOver(written: 0)
  }

  /// Whether the server has cycles, as one whose driver stands has not; waits for a second at the most. Not while
  /// PERFORM has it.
  func isMoving() -> Bool {
    let deadline = monotonicNow() + patience(period: format.period, rate: format.rate)
    while !exchange.pointee.hasCycles.load(ordering: .acquiring) {
      if exchange.pointee.isShutDown.load(ordering: .acquiring) || monotonicNow() > deadline {
        return false
      }
      sleepUntil(monotonicNow() + 5_000_000)
    }
    return true
  }

  /// Looks how long the ways are now, and has ports connected that appeared; CONTROL only, a few times a second.
  ///
  /// - Returns: what the user should know of the connections.
  public func observe() -> [String] {
    observeLatency()
    return isClosed ? [] : client.connections.look()
  }

  private func observeLatency() {
    exchange.pointee.addedFrames.store(client.playbackLatency, ordering: .relaxed)
    exchange.pointee.captureFrames.store(client.captureLatency, ordering: .relaxed)
  }

  /// Leaves the server; CONTROL only, when nobody performs with it any more. A second call does nothing.
  ///
  /// A server that has stopped does not answer: after half a second it is left alone with that.
  public func close() {
    if isClosed { return }
    isClosed = true
    exchange.pointee.isAttached.store(false, ordering: .releasing)
    guard let task = try? BackgroundTask.start(JACKClosing(client)) else {
      client.close()
      return
    }
    _ = task.wait(atMost: .perSecond / 2)
  }

  deinit { close() }

  /// Takes the place of another backend: its first frame is the one after `written`.
  @_noLocks
  public func takeOver(written: Int64) {
    self.written = written
    let way = Double(addedFrames) * map.nanosecondsPerFrame
    map.frame = written
    map.time = monotonicNow() &+ Int64(way)
  }

  /// Waits for the next cycle, 100 ms at most, and brings `map` up to date.
  @_noLocks
  public func wait() -> AudioWake {
    if isAskedFor { return demand() }
    let before = monotonicNow()
    let hasCycle = exchange.pointee.go.wait(until: before &+ 100_000_000)
    if exchange.pointee.isShutDown.load(ordering: .acquiring) { return lose() }
    if exchange.pointee.isOutgrown.load(ordering: .acquiring) { return lose() }
    let now = monotonicNow()
    if !hasCycle {
      return now &- lastProgress > patience(period: format.period, rate: format.rate)
        ? lose() : .frames(0)
    }
    lastProgress = now
    isAskedFor = true
    let cycle = exchange.pointee.cycle
    gap = cycle.pointee.gap
    let added = exchange.pointee.addedFrames.load(ordering: .relaxed)
    if added != addedFrames {
      addedFrames = added
      isResized = true
    }
    // What is in the ports at a moment is heard that much later.
    let way = Double(added) * cycle.pointee.nanosecondsPerFrame
    map = TimeMap(
      frame: written, time: cycle.pointee.start &+ Int64(way),
      nanosecondsPerFrame: cycle.pointee.nanosecondsPerFrame)
    return demand()
  }

  // One thing at a time: first what happened, then what is wanted.
  @_noLocks
  private func demand() -> AudioWake {
    if gap >= 0 {
      let length = gap
      gap = -1
      return .xrun(length: length)
    }
    let frames = exchange.pointee.cycle.pointee.frames
    if frames != format.period {
      format.period = frames
      isResized = true
    }
    if isResized {
      isResized = false
      return .resized
    }
    return .frames(frames)
  }

  @_noLocks
  private func lose() -> AudioWake {
    exchange.pointee.isAttached.store(false, ordering: .releasing)
    return .lost
  }

  /// How many frames longer the way of captured sound is than a period; 0 where it is not known.
  public var captureFrames: Int {
    @_noLocks get {
      max(exchange.pointee.captureFrames.load(ordering: .relaxed) &- format.period, 0)
    }
  }

  /// Fetches what was captured for the cycle that `wait` told of.
  @_noLocks
  public func read(into block: UnsafeMutablePointer<Double>, frames: Int) {
    let channels = format.inputChannels
    for channel in 0..<channels {
      let samples = exchange.pointee.captured + channel &* exchange.pointee.room
      for frame in 0..<frames { block[frame &* channels &+ channel] = Double(samples[frame]) }
    }
  }

  /// Plays `frames` frames in the cycle that wanted them. Not a number is silence; what is beyond ±1 stays.
  @_noLocks
  public func write(_ block: UnsafePointer<Double>, frames: Int) {
    let channels = format.channels
    for channel in 0..<channels {
      let samples = exchange.pointee.played + channel &* exchange.pointee.room
      for frame in 0..<frames {
        let value = block[frame &* channels &+ channel]
        // The difference is not a number for those that are not, and for infinity.
        samples[frame] = value - value == 0 ? Float(value) : 0
      }
    }
    written &+= Int64(frames)
    isAskedFor = false
    exchange.pointee.done.signal()
    if !isAttached {
      isAttached = true
      lastProgress = monotonicNow()
      exchange.pointee.isAttached.store(true, ordering: .releasing)
    }
  }
}

/// Closes a client on a thread of its own.
private final class JACKClosing: ThreadBody {
  private let client: JACKClient

  init(_ client: JACKClient) { self.client = client }

  func run() { client.close() }
}
