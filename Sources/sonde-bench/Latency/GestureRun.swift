import Events
import LinuxIO
import Synchronization

/// What surrounds the gestures.
struct Condition: Sendable {
  let name: String
  let period: Int
  var hogs = 0
  /// How late events are delivered, at most.
  var delay: Nanoseconds = 0
}

/// What one contender did in one condition.
struct GestureResult {
  var analysis: OnsetAnalysis
  var xruns: Int
  var figures: [Figure]

  /// Latencies in frames.
  var spread: Spread { Spread(analysis.latencies) }
  /// The same without gestures that an xrun came near.
  var undisturbed: Spread { Spread(analysis.undisturbed) }
}

/// Makes gestures at random phases and notes when, on a thread of its own.
private final class GestureThread: ThreadBody, @unchecked Sendable {
  private let player: any Player
  private let listener: JACKListener
  private var rhythm: GestureRhythm
  private var delay: DeliveryDelay
  /// When each gesture was made; after the end.
  private(set) var frames: [Double] = []
  private let count: Int
  let isOver = Atomic<Bool>(false)
  let isCancelled = Atomic<Bool>(false)

  init(
    _ player: any Player, _ listener: JACKListener, _ rhythm: GestureRhythm, _ delay: DeliveryDelay,
    count: Int
  ) {
    self.player = player
    self.listener = listener
    self.rhythm = rhythm
    self.delay = delay
    self.count = count
    frames.reserveCapacity(count)
  }

  func run() {
    var next = monotonicNow() + 20_000_000
    for number in 0..<count where !isCancelled.load(ordering: .relaxed) {
      sleepUntil(next)
      let moment = listener.now()
      frames.append(Double(moment.frame))
      let lateness = delay.next()
      if lateness > 0 { sleepUntil(moment.time + lateness) }
      player.gesture(StepCode.code(of: number), at: moment)
      next = moment.time + rhythm.next()
    }
    isOver.store(true, ordering: .releasing)
  }
}

extension Contender {
  /// So long a contender has to settle before its gestures count.
  private static let warmUp: Nanoseconds = 3_000_000_000

  /// Starts, plays `notes` gestures that count, and stops.
  func measure(
    _ condition: Condition, _ server: JACKServer, _ folder: TemporaryFolder, notes: Int
  ) throws -> GestureResult {
    let rhythm = GestureRhythm(period: server.periodTime, seed: 3)
    let warming = Int(Contender.warmUp / rhythm.meanPause)
    let listener = try JACKListener(server, capacity: 4 * (warming + notes) + 1000)
    defer { listener.close() }
    let player = try start(server, listener, folder)
    let hogs = try ProcessorHogs(condition.hogs)
    let gestures = GestureThread(
      player, listener, rhythm, DeliveryDelay(upTo: condition.delay), count: warming + notes)
    // Above everything that is measured: hands wait for nobody.
    let thread = try RealtimeThread(name: "bench-hands", priority: 80, body: gestures)
    var xrunsBefore = 0
    let start = monotonicNow()
    do {
      defer { thread.join() }
      while !gestures.isOver.load(ordering: .acquiring) {
        sleepUntil(monotonicNow() + 50_000_000)
        if monotonicNow() - start < Contender.warmUp { xrunsBefore = listener.xruns }
        do { try player.service() } catch {
          gestures.isCancelled.store(true, ordering: .relaxed)
          player.stop()
          throw error
        }
      }
    }
    // The longest latency that a peer has is a fifth of a second.
    let end = monotonicNow() + 200_000_000 + 6 * server.periodTime
    while monotonicNow() < end {
      sleepUntil(monotonicNow() + 50_000_000)
      try player.service()
    }
    let (xruns, figures) = (listener.xruns - xrunsBefore, player.figures)
    listener.close()
    hogs.stop()
    player.stop()
    return GestureResult(
      analysis: OnsetAnalysis(
        gestures: gestures.frames, steps: listener.steps, countingFrom: warming,
        interruptions: listener.interruptions, reach: JACKServer.rate / 4, grace: server.period),
      xruns: xruns, figures: figures)
  }
}
