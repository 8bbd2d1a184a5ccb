import EvdevInput
import Events
import Mapping

extension Section {
  static let events = Section(
    name: "events", summary: "from evdev events to commands off the ring", measure: measureEvents)
}

/// Events per second through decoding and mapping, on one core: from evdev events to commands taken off the ring.
private func measureEvents(_ extent: Extent, _ report: Report) throws {
  report.begin(
    "Events", per: "per evdev event",
    "A DualSense in busy hands, decoded and mapped by 13 lines and the standard channels; reading the device is not in it."
  )
  let frames = extent.count(50_000)
  let pad = DualSenseStream.padEvents(frames: frames)
  let motion = DualSenseStream.motionEvents(frames: frames)
  func add(_ name: String, _ pad: [EvdevEvent], _ motion: [EvdevEvent], maps: Bool) throws {
    let hands = try BusyHands(pad: pad, motion: motion, maps: maps)
    let measurement = Measurement(runs: extent.runs) { hands.play() }
    let rate = 1e9 / measurement.processor.median
    report.add(
      name, measurement,
      [("events_per_second", rate, "\(Report.decimals(rate / 1e6, 1)) million events a second")])
  }
  try add("decode, pad and motion", pad, motion, maps: false)
  try add("decode and map, pad and motion", pad, motion, maps: true)
  try add("decode and map, pad alone", pad, [], maps: true)
  try add("decode and map, motion alone", [], motion, maps: true)
}

/// A DualSense whose two nodes are played over and over.
private final class BusyHands {
  private static let mapping = """
    device pad gamepad
    widget slider cutoff min=60 max=10000 default=3000 scale=log
    widget slider resonance max=0.8
    widget button hold
    pad.left | deadzone 0.08 radial -> bend, shimmer
    pad.right.x | deadzone 0.1 | to 0..1 pow 2 | smooth 20ms -> brightness
    pad.right.y -> resonance
    pad.left.trigger | to 0..1 pow 3 -> swell
    pad.right.trigger -> cutoff
    pad.south -> note Pluck key=C4
    pad.east -> note Pluck key=D4
    pad.north -> hold
    pad.west -> note 2 key=A4
    pad.accelerometer -> ax, ay, az
    pad.gyro | abs -> gx, gy, gz
    pad.attitude.roll | from -70deg..70deg | smooth 40ms -> tilt
    pad.attitude.pitch | invert -> nose
    """

  private let pad: [EvdevEvent]
  private let motion: [EvdevEvent]
  private var padDecoder: NodeDecoder
  private var motionDecoder: NodeDecoder
  private let buffer = EventBuffer(capacity: 256)
  private let ring = SPSCRing<EngineCommand>(capacity: 4096)
  private let runtime: Runtime?
  /// How much later the next pass is than the first one.
  private var delay: Nanoseconds = 0

  init(pad: [EvdevEvent], motion: [EvdevEvent], maps: Bool) throws {
    self.pad = pad
    self.motion = motion
    padDecoder = try BusyHands.decoder(DualSenseStream.pad, DualSenseStream.padAxes, number: 0)
    motionDecoder = try BusyHands.decoder(
      DualSenseStream.motion, DualSenseStream.motionAxes, number: 1)
    if !maps {
      runtime = nil
      return
    }
    let program = try compile(BusyHands.mapping)
    let runtime = Runtime(program, output: ring)
    runtime.process(ControlEvent(.plugged, time: 0, device: 0))
    for number in program.description.devices.indices { runtime.bind(0, to: number, time: 0) }
    self.runtime = runtime
  }

  private static func decoder(
    _ node: EvdevNode, _ axes: [UInt16: AxisInfo], number: UInt16
  ) throws -> NodeDecoder {
    let decoder = NodeDecoder(node: node, axes: axes, device: 0, number: number)
    guard let decoder else { throw BenchmarkFailure("\(node.name) is not recognised.") }
    return decoder
  }

  /// Plays both nodes once, frame by frame in turn, and returns the number of evdev events.
  func play() -> Int {
    let ticks = Int32(truncatingIfNeeded: delay / 1000)
    var sum = 0.0
    var (padIndex, motionIndex) = (0, 0)
    while padIndex < pad.count || motionIndex < motion.count {
      while padIndex < pad.count {
        var event = pad[padIndex]
        padIndex += 1
        event.time &+= delay
        padDecoder.decode(event, into: buffer)
        if event.type == 0 { break }
      }
      while motionIndex < motion.count {
        var event = motion[motionIndex]
        motionIndex += 1
        event.time &+= delay
        if event.type == 4 { event.value &+= ticks }
        motionDecoder.decode(event, into: buffer)
        if event.type == 0 { break }
      }
      sum += pass()
    }
    delay &+= max(pad.last?.time ?? 0, motion.last?.time ?? 0)
    use(sum)
    return pad.count + motion.count
  }

  /// Maps what was decoded, as INPUT does after reading what there is, and takes the commands, as PERFORM does.
  private func pass() -> Double {
    var sum = 0.0
    if let runtime {
      runtime.process(buffer.events)
      while let command = ring.pop() { sum += command.value }
    } else {
      for event in buffer.events { sum += event.value }
    }
    buffer.removeAll()
    return sum
  }
}
