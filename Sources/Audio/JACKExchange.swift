import Events
import LinuxIO
import Synchronization

/// What JACK's thread tells PERFORM of a cycle.
struct JACKCycle: BitwiseCopyable {
  var frames = 0
  /// When its first frame plays, as far as JACK's ports are concerned.
  var start: Nanoseconds = 0
  var nanosecondsPerFrame = 0.0
  /// How long the sound was interrupted before it; below 0: not at all.
  var gap: Nanoseconds = -1

  @_noLocks
  init() {}
}

/// Where JACK's thread and PERFORM meet; behind a pointer, because neither may count references.
///
/// In each cycle JACK's thread describes it in `cycle` and signals `go`; PERFORM computes a block into `played` and
/// signals `done`. One block is asked for at a time: a block that comes too late plays in the next cycle, and what
/// came between is silence.
struct JACKExchange: ~Copyable {
  /// The longest period of a server that is taken (jackd2 has none above 8192, and PipeWire where it is told so).
  static var longestPeriod: Int { 65536 }
  /// What a server may set during a run without being opened anew.
  private static var usualRoom: Int { 16384 }

  let calls: JACKCalls
  let rate: Int
  let outputs: UnsafeMutablePointer<JACKLibrary.Port>
  let outputCount: Int
  let inputs: UnsafeMutablePointer<JACKLibrary.Port>
  let inputCount: Int
  /// The longest period that has room.
  let room: Int
  /// `room` frames for each port, one port after the other.
  let played: UnsafeMutablePointer<Float>
  let captured: UnsafeMutablePointer<Float>
  /// Whoever was signalled last has `cycle`, `played` and `captured`.
  let cycle: UnsafeMutablePointer<JACKCycle>
  let go = Semaphore()
  let done = Semaphore()
  /// JACK's thread alone.
  private let watch: UnsafeMutablePointer<JACKWatch>
  /// Whether PERFORM takes part, from its first block on; before and after, there is silence, and nobody is waited for.
  let isAttached = Atomic<Bool>(false)
  /// Set by the first cycle.
  let hasCycles = Atomic<Bool>(false)
  /// Set when the server is gone.
  let isShutDown = Atomic<Bool>(false)
  /// Set when the server has a period that has no room: it has to be opened anew.
  let isOutgrown = Atomic<Bool>(false)
  /// The frames between the sound and the ports that capture, as CONTROL has last found them.
  let captureFrames = Atomic<Int>(0)
  /// The frames between the ports and the sound, as CONTROL has last found them.
  let addedFrames = Atomic<Int>(0)
  /// Counted by JACK's callback, and the length of the last one.
  let xruns = Atomic<Int>(0)
  let xrunLength = Atomic<Int64>(0)

  init(
    _ calls: JACKCalls, rate: Int, period: Int, outputs: [JACKLibrary.Port],
    inputs: [JACKLibrary.Port]
  ) {
    self.calls = calls
    self.rate = rate
    outputCount = outputs.count
    self.outputs = .allocate(capacity: max(outputs.count, 1))
    for (index, port) in outputs.enumerated() { (self.outputs + index).initialize(to: port) }
    inputCount = inputs.count
    self.inputs = .allocate(capacity: max(inputs.count, 1))
    for (index, port) in inputs.enumerated() { (self.inputs + index).initialize(to: port) }
    // Written once, so that no page fault comes with the first sound.
    room = max(period, JACKExchange.usualRoom)
    played = .allocate(capacity: max(outputs.count, 1) * room)
    played.initialize(repeating: 0, count: max(outputs.count, 1) * room)
    captured = .allocate(capacity: max(inputs.count, 1) * room)
    captured.initialize(repeating: 0, count: max(inputs.count, 1) * room)
    cycle = .allocate(capacity: 1)
    cycle.initialize(to: JACKCycle())
    cycle.pointee.frames = period
    watch = .allocate(capacity: 1)
    watch.initialize(to: JACKWatch())
  }

  deinit {
    outputs.deallocate()
    inputs.deallocate()
    played.deallocate()
    captured.deallocate()
    cycle.deallocate()
    watch.deallocate()
    go.deallocate()
    done.deallocate()
  }

  /// JACK's process callback: hands the cycle over, waits for its block, plays it.
  @_noLocks
  static func run(_ exchange: UnsafeMutablePointer<JACKExchange>, frames: Int) {
    let watch = exchange.pointee.watch
    let cycle = exchange.pointee.cycle
    exchange.pointee.hasCycles.store(true, ordering: .releasing)
    if frames > exchange.pointee.room { outgrow(exchange) }
    if !exchange.pointee.isAttached.load(ordering: .acquiring) {
      watch.pointee.isTracking = false
      play(exchange, count: 0, of: frames)
      return
    }
    let times = exchange.pointee.calls.cycleTimes(frames: frames)
    watch.pointee.follow(
      frame: times.frame, frames: frames, xruns: exchange.pointee.xruns.load(ordering: .relaxed))
    if !watch.pointee.isAskedFor {
      capture(exchange, frames: frames)
      cycle.pointee.frames = frames
      cycle.pointee.start = times.start
      cycle.pointee.nanosecondsPerFrame = times.nanosecondsPerFrame
      cycle.pointee.gap = watch.pointee.takeGap(
        rate: exchange.pointee.rate,
        xrunLength: exchange.pointee.xrunLength.load(ordering: .relaxed))
      watch.pointee.isAskedFor = true
      exchange.pointee.go.signal()
    }
    // An eighth of the period is left to the server and to the clients that come after: a cycle that ends too late
    // interrupts the sound of all. A thread that was woken late gives PERFORM some time all the same.
    let period = times.nanosecondsPerFrame * Double(frames)
    let deadline = times.start &+ Int64(period * 0.875)
    let least = monotonicNow() &+ Int64(period * 0.25)
    if exchange.pointee.done.wait(until: deadline > least ? deadline : least) {
      watch.pointee.isAskedFor = false
      // Another length only where the block came late and the period changed meanwhile.
      let ready = cycle.pointee.frames
      play(exchange, count: ready < frames ? ready : frames, of: frames)
    } else {
      watch.pointee.lostFrames &+= frames
      play(exchange, count: 0, of: frames)
    }
  }

  // PERFORM waits for a cycle that never comes.
  @_noLocks
  private static func outgrow(_ exchange: UnsafeMutablePointer<JACKExchange>) {
    exchange.pointee.isAttached.store(false, ordering: .releasing)
    if exchange.pointee.isOutgrown.exchange(true, ordering: .releasing) { return }
    exchange.pointee.go.signal()
  }

  @_noLocks
  private static func play(
    _ exchange: UnsafeMutablePointer<JACKExchange>, count: Int, of frames: Int
  ) {
    let calls = exchange.pointee.calls
    let outputs = exchange.pointee.outputs
    let played = exchange.pointee.played
    let room = exchange.pointee.room
    var index = 0
    while index < exchange.pointee.outputCount {
      calls.play(
        played + index &* room, count: count, of: frames, on: outputs[index])
      index &+= 1
    }
  }

  @_noLocks
  private static func capture(_ exchange: UnsafeMutablePointer<JACKExchange>, frames: Int) {
    let calls = exchange.pointee.calls
    let inputs = exchange.pointee.inputs
    let captured = exchange.pointee.captured
    let room = exchange.pointee.room
    var index = 0
    while index < exchange.pointee.inputCount {
      calls.capture(captured + index &* room, frames: frames, from: inputs[index])
      index &+= 1
    }
  }
}

/// What JACK's thread keeps from one cycle to the next.
struct JACKWatch: BitwiseCopyable {
  /// Whether a block was asked for that has not come yet; so is the first one, before PERFORM attaches.
  var isAskedFor = true
  var isTracking = false
  /// Frames in whose place there was silence.
  var lostFrames = 0
  private var expectedFrame: UInt32 = 0
  private var xruns = 0
  private var hasXrun = false

  @_noLocks
  init() {}

  /// Notices cycles that the server left out, and xruns that it told of.
  @_noLocks
  mutating func follow(frame: UInt32, frames: Int, xruns: Int) {
    if isTracking {
      let jump = Int(Int32(bitPattern: frame &- expectedFrame))
      if jump > 0 { lostFrames &+= jump }
      if xruns != self.xruns { hasXrun = true }
    }
    isTracking = true
    self.xruns = xruns
    expectedFrame = frame &+ UInt32(truncatingIfNeeded: frames)
  }

  /// How long the sound was interrupted since the last call; below 0: not at all.
  @_noLocks
  mutating func takeGap(rate: Int, xrunLength: Nanoseconds) -> Nanoseconds {
    if lostFrames == 0 && !hasXrun { return -1 }
    let lost = Int64(lostFrames) &* 1_000_000_000 / Int64(rate)
    let told = hasXrun ? xrunLength : 0
    lostFrames = 0
    hasXrun = false
    return lost > told ? lost : told
  }
}
