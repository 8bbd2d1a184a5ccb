import Audio
import Events
import LinuxIO
import Synchronization

/// When a gesture was made, on both clocks.
struct Moment: BitwiseCopyable {
  /// CLOCK_MONOTONIC.
  var time: Nanoseconds
  /// JACK's frame, counted from the listener's start.
  var frame: Int64
}

/// A JACK client that hears an instrument in its own graph, and that plays it by MIDI.
final class JACKListener: @unchecked Sendable {
  /// What the callbacks use; behind a pointer, because they may not count references.
  fileprivate struct Core: ~Copyable {
    let portGetBuffer: @convention(c) (JACKLibrary.Port, UInt32) -> UnsafeMutableRawPointer?
    let lastFrameTime: JACKLibrary.FramesOfClient
    let midiClearBuffer: @convention(c) (UnsafeMutableRawPointer) -> Void
    let midiEventWrite:
      @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafePointer<UInt8>, Int) -> Int32
    let client: JACKLibrary.Client
    let input: JACKLibrary.Port
    let output: JACKLibrary.Port
    let base: UInt32
    let trace: Unmanaged<StepTrace>
    let messages: Unmanaged<SPSCRing<Message>>
    var waiting: Message?
    let frameTime: JACKLibrary.FramesOfClient
    let getCycleTimes: JACKLibrary.CycleTimes
    let interruptions: SPSCRing<Int64>
    let bends: SPSCRing<Int64>
    let xruns = Atomic<Int>(0)
  }

  fileprivate struct Message: BitwiseCopyable {
    var frame: Int64
    var bytes: (UInt8, UInt8, UInt8)
  }

  private let library: JACKLibrary
  private let client: JACKLibrary.Client
  private let base: UInt32
  private let names: (input: String, output: String)
  private let trace: StepTrace
  private let messages = SPSCRing<Message>(capacity: 256)
  private let core: UnsafeMutablePointer<Core>
  private var isClosed = false

  /// - Parameter capacity: the most jumps that are kept.
  /// - Throws: `BenchmarkFailure`.
  init(_ server: JACKServer, capacity: Int) throws {
    library = server.library
    guard let client = library.openClient("sonde-bench-ear").0,
      let input = library.portRegister(
        client, "in", JACKLibrary.audioType, JACKLibrary.portIsInput, 0),
      let output = library.portRegister(
        client, "midi", JACKLibrary.midiType, JACKLibrary.portIsOutput, 0),
      let inputName = library.portName(input), let outputName = library.portName(output)
    else { throw BenchmarkFailure("JACK refuses a client.") }
    self.client = client
    names = (String(cString: inputName), String(cString: outputName))
    base = library.frameTime(client)
    trace = StepTrace(capacity: capacity)
    core = .allocate(capacity: 1)
    core.initialize(
      to: Core(
        portGetBuffer: library.portGetBuffer, lastFrameTime: library.lastFrameTime,
        midiClearBuffer: library.midiClearBuffer, midiEventWrite: library.midiEventWrite,
        client: client, input: input, output: output, base: base, trace: .passUnretained(trace),
        messages: .passUnretained(messages), frameTime: library.frameTime,
        getCycleTimes: library.getCycleTimes,
        interruptions: SPSCRing(capacity: 1 << 16), bends: SPSCRing(capacity: 1 << 16)))
    _ = library.setProcessCallback(client, process, core)
    _ = library.setXrunCallback(client, countXrun, core)
    guard library.activate(client) == 0 else {
      throw BenchmarkFailure("JACK does not activate a client.")
    }
  }

  deinit {
    close()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// Leaves JACK; from then on `steps` are all there will be.
  func close() {
    if isClosed { return }
    isClosed = true
    _ = library.clientClose(client)
  }

  /// Connects an output of another program to this client's ear.
  ///
  /// - Throws: `BenchmarkFailure` when it does not work within 5 s.
  func listen(to port: String) throws { try connect(port, names.input, port) }

  /// The same for an input of another program that is to be played by MIDI.
  func connectMIDI(to port: String) throws { try connect(names.output, port, port) }

  private func connect(_ from: String, _ to: String, _ port: String) throws {
    let limit = monotonicNow() + 5_000_000_000
    // A port may be there a little before its client takes part.
    while library.connect(client, from, to) != 0 {
      if monotonicNow() > limit { throw BenchmarkFailure("JACK does not connect \(port)") }
      sleepUntil(monotonicNow() + 5_000_000)
    }
  }

  var steps: [Step] { trace.steps }

  /// Periods that somebody did not finish in time, since the start.
  var xruns: Int { core.pointee.xruns.load(ordering: .relaxed) }

  /// The frames at which the server told of one, or its line of time bent because it was woken late: frames and times
  /// mean something else there than a moment before. In order; once, after `close`.
  var interruptions: [Int64] {
    var frames: [Int64] = []
    while let frame = core.pointee.interruptions.pop() { frames.append(frame) }
    while let frame = core.pointee.bends.pop() { frames.append(frame) }
    return frames.sorted()
  }

  /// Now, as exactly as both clocks can be read together.
  func now() -> Moment {
    var best = Nanoseconds.max
    var moment = Moment(time: 0, frame: 0)
    for _ in 0..<5 {
      let before = monotonicNow()
      let frame = library.frameTime(client)
      let after = monotonicNow()
      if after - before >= best { continue }
      best = after - before
      moment = Moment(time: before + best / 2, frame: frameNumber(frame, base))
      if best < 5000 { break }
    }
    return moment
  }

  /// Sends a MIDI message as JACK's own drivers do: one period after the moment at which it came in.
  func sendMIDI(_ bytes: (UInt8, UInt8, UInt8), at frame: Int64) {
    messages.push(Message(frame: frame, bytes: bytes))
  }
}

/// Frames wrap around after a day.
private func frameNumber(_ frame: UInt32, _ base: UInt32) -> Int64 {
  Int64(Int32(bitPattern: frame &- base))
}

private func process(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let core = context?.assumingMemoryBound(to: JACKListener.Core.self) else { return 0 }
  let start = frameNumber(core.pointee.lastFrameTime(core.pointee.client), core.pointee.base)
  if isBent(core, Double(frames)) { core.pointee.bends.push(start) }
  if let buffer = core.pointee.portGetBuffer(core.pointee.input, frames) {
    let samples = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
    core.pointee.trace._withUnsafeGuaranteedRef {
      $0.record(samples, count: Int(frames), at: start)
    }
  }
  if let buffer = core.pointee.portGetBuffer(core.pointee.output, frames) {
    core.pointee.midiClearBuffer(buffer)
    writeMessages(core, buffer, start, Int64(frames))
  }
  return 0
}

/// Whether the cycle is longer or shorter than its frames by more than two of them, in the server's line of time.
private func isBent(_ core: UnsafeMutablePointer<JACKListener.Core>, _ frames: Double) -> Bool {
  var current: UInt32 = 0
  var start: UInt64 = 0
  var end: UInt64 = 0
  var period: Float = 0
  guard core.pointee.getCycleTimes(core.pointee.client, &current, &start, &end, &period) == 0
  else { return false }
  let length = (Double(end) - Double(start)) * Double(JACKServer.rate) / 1e6
  return abs(length - frames) > 2
}

private func writeMessages(
  _ core: UnsafeMutablePointer<JACKListener.Core>, _ buffer: UnsafeMutableRawPointer,
  _ start: Int64, _ frames: Int64
) {
  while true {
    if core.pointee.waiting == nil {
      core.pointee.waiting = core.pointee.messages._withUnsafeGuaranteedRef { $0.pop() }
    }
    guard let message = core.pointee.waiting else { return }
    let place = message.frame + frames - start
    if place >= frames { return }
    withUnsafeBytes(of: message.bytes) { bytes in
      let data = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
      _ = core.pointee.midiEventWrite(buffer, UInt32(max(place, 0)), data, bytes.count)
    }
    core.pointee.waiting = nil
  }
}

private func countXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let core = context?.assumingMemoryBound(to: JACKListener.Core.self) else { return 0 }
  // Called on the thread of the server's notices, which has no deadlines.
  let frame = core.pointee.frameTime(core.pointee.client)
  core.pointee.interruptions.push(frameNumber(frame, core.pointee.base))
  core.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
  return 0
}
