import Audio
import Glibc
import LinuxIO
import Synchronization

/// Another client in the same JACK graph: hears one port from frame to frame, and plays a ramp into another.
///
/// What it says of frames and of time is JACK's own account, not Sonde's.
final class GraphClient: @unchecked Sendable {
  /// A cycle as it was heard.
  struct Cycle {
    /// JACK's count at its first frame.
    var frame: UInt32
    /// Where its samples are.
    var first: Int
    var count: Int
    /// Whether the server told of an xrun since the one before, or left frames out.
    var isBroken: Bool
    /// By how many frames the server's line of time bends in it: a server that was woken late corrects itself.
    var bend: Double
  }

  let jack: JACKLibrary
  let handle: JACKLibrary.Client
  private let name: String
  private let heard: UnsafeMutablePointer<GraphHearing>
  private var isClosed = false

  /// - Parameter seconds: room for so much sound.
  init?(
    server: String, name: String = "ear", seconds: Int = 60, rate: Int = 48000, period: Int = 64
  ) throws {
    jack = try JACKLibrary()
    jack.silence()
    guard let client = jack.openClient(name, server: server).0 else { return nil }
    handle = client
    self.name = String(cString: jack.getClientName(client)!)
    heard = .allocate(capacity: 1)
    heard.initialize(
      to: GraphHearing(
        jack, client,
        input: jack.portRegister(client, "in", JACKLibrary.audioType, JACKLibrary.portIsInput, 0)!,
        output: jack.portRegister(
          client, "out_1", JACKLibrary.audioType, JACKLibrary.portIsOutput, 0)!,
        capacity: seconds * rate, cycleCapacity: seconds * rate / period, rate: rate))
    _ = jack.setProcessCallback(client, hearCycle, heard)
    _ = jack.setXrunCallback(client, hearXrun, heard)
    _ = jack.activate(client)
  }

  deinit {
    close()
    heard.pointee.deallocate()
    heard.deinitialize(count: 1)
    heard.deallocate()
  }

  func close() {
    if !isClosed { _ = jack.clientClose(handle) }
    isClosed = true
  }

  /// Hears `port`; false when there is none yet.
  func listen(to port: String) -> Bool { jack.connect(handle, port, name + ":in") == 0 }

  /// Who is connected to a port of anybody.
  func connections(of port: String) -> [String] {
    guard let found = jack.portByName(handle, port) else { return [] }
    return jack.connections(of: found, handle)
  }

  var cycles: [Cycle] {
    let count = heard.pointee.cycleCount.load(ordering: .acquiring)
    return (0..<count).map { heard.pointee.cycles[$0] }
  }

  /// The samples so far.
  var samples: UnsafeBufferPointer<Float> {
    let count = heard.pointee.sampleCount.load(ordering: .acquiring)
    return UnsafeBufferPointer(start: heard.pointee.samples, count: count)
  }

  /// The last sample heard.
  var lastSample: Float { samples.last ?? 0 }
}

/// What the client's thread writes; behind a pointer.
struct GraphHearing: ~Copyable {
  let jack: JACKLibrary
  let client: JACKLibrary.Client
  let input: JACKLibrary.Port
  let output: JACKLibrary.Port
  let samples: UnsafeMutablePointer<Float>
  let capacity: Int
  let cycles: UnsafeMutablePointer<GraphClient.Cycle>
  let cycleCapacity: Int
  let rate: Int
  let sampleCount = Atomic<Int>(0)
  let cycleCount = Atomic<Int>(0)
  let xruns = Atomic<Int>(0)
  var xrunsSeen = 0
  var rampFrame = 0

  init(
    _ jack: JACKLibrary, _ client: JACKLibrary.Client, input: JACKLibrary.Port,
    output: JACKLibrary.Port, capacity: Int, cycleCapacity: Int, rate: Int
  ) {
    self.jack = jack
    self.client = client
    self.input = input
    self.output = output
    self.capacity = capacity
    self.cycleCapacity = cycleCapacity
    self.rate = rate
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
    cycles = .allocate(capacity: cycleCapacity)
  }

  func deallocate() {
    samples.deallocate()
    cycles.deallocate()
  }

  mutating func hear(_ count: Int) {
    if let buffer = jack.portGetBuffer(output, UInt32(count)) {
      let ramp = buffer.assumingMemoryBound(to: Float.self)
      for index in 0..<count { ramp[index] = GraphRamp.value(at: rampFrame + index) }
      rampFrame += count
    }
    let first = sampleCount.load(ordering: .relaxed)
    let cycle = cycleCount.load(ordering: .relaxed)
    guard first + count <= capacity, cycle < cycleCapacity,
      let buffer = jack.portGetBuffer(input, UInt32(count))
    else { return }
    memcpy(samples + first, buffer, count * 4)
    let frame = jack.lastFrameTime(client)
    let told = xruns.load(ordering: .relaxed)
    var isBroken = told != xrunsSeen
    if cycle > 0 {
      let before = cycles[cycle - 1]
      if before.frame &+ UInt32(before.count) != frame { isBroken = true }
    }
    xrunsSeen = told
    var current: UInt32 = 0
    var start: UInt64 = 0
    var end: UInt64 = 0
    var period: Float = 0
    _ = jack.getCycleTimes(client, &current, &start, &end, &period)
    let bend = (Double(end) - Double(start)) * Double(rate) / 1e6 - Double(count)
    (cycles + cycle).initialize(
      to: GraphClient.Cycle(
        frame: frame, first: first, count: count, isBroken: isBroken, bend: bend))
    sampleCount.store(first + count, ordering: .releasing)
    cycleCount.store(cycle + 1, ordering: .releasing)
  }
}

/// A ramp that numbers its frames: every sample is one step above the one before, exactly, and none is 0.
enum GraphRamp {
  static let length = 1 << 22

  static func value(at frame: Int) -> Float {
    Float(0.25 + 0.5 * Double(frame % length) / Double(length))
  }

  /// The number of a frame, or nil for silence.
  static func frame(of value: Float) -> Int? {
    value < 0.25 ? nil : Int(((Double(value) - 0.25) * 2 * Double(length)).rounded())
  }

  /// The same ramp in Csound.
  static let instrument = """
    instr 1
     aramp phasor sr / \(length)
     out 0.25 + 0.5 * aramp
    endin
    schedule 1, 0, -1
    """
}

private func hearCycle(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  context!.assumingMemoryBound(to: GraphHearing.self).pointee.hear(Int(frames))
  return 0
}

private func hearXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  context!.assumingMemoryBound(to: GraphHearing.self).pointee.xruns.wrappingAdd(
    1, ordering: .relaxed)
  return 0
}
