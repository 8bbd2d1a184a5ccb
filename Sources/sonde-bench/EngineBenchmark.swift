import CsoundEngine
import Events
import LinuxIO

/// The cost of a k-cycle under Sonde's loop, beside the command `csound` on the same CSD.
///
/// Of every run a long and a short score are measured and subtracted, so starting and compiling do not count.
func measureEngine(_ extent: Extent, _ report: Report) throws {
  report.begin(
    "Engine", per: "per k-cycle",
    "One oscillator, ksmps 32, 48 kHz, computed offline without a file. The ratio is to the command csound."
  )
  let folder = try TemporaryFolder("sonde-bench")
  let long = try LightCSD(seconds: Double(extent.count(300)), in: folder)
  let short = try LightCSD(seconds: 1, in: folder)
  let cycles = Double(long.cycles - short.cycles)

  let loads: [ChannelLoad] = [
    ChannelLoad(channels: 0, every: 1), ChannelLoad(channels: 100, every: nil),
    ChannelLoad(channels: 100, every: 10), ChannelLoad(channels: 100, every: 1),
    ChannelLoad(channels: 1000, every: nil), ChannelLoad(channels: 1000, every: 10),
    ChannelLoad(channels: 1000, every: 1),
  ]
  let hasCsound = try hasCsound()
  if !hasCsound {
    report.remark("There is no ratio: the command csound is missing; install the package csound.")
  }
  var csound: [Spent] = []
  var sonde = loads.map { _ in [Spent]() }
  // All of them in every round: what else the machine does falls on all alike.
  for round in 0...extent.runs {
    if hasCsound {
      let spent = try runCsound(long) - runCsound(short)
      if round > 0 { csound.append(spent) }
    }
    for (index, load) in loads.enumerated() {
      let spent = try render(long, load) - render(short, load)
      if round > 0 { sonde[index].append(spent) }
    }
  }
  if hasCsound { report.add("the command csound -n", measurement(csound, cycles)) }
  for (index, load) in loads.enumerated() {
    var figures: [(name: String, value: Double, text: String)] = []
    if hasCsound {
      let ratio = Samples(zip(sonde[index], csound).map { $0.processor / $1.processor }).median
      figures.append(("ratio_to_csound", ratio, "× \(Report.decimals(ratio, 2))"))
    }
    if index > 0 {
      let more = zip(sonde[index], sonde[0]).map { ($0.processor - $1.processor) / cycles }
      let extra = Samples(more).median
      figures.append(("extra_ns", extra, "\(Report.time(extra)) more than without"))
    }
    report.add("sonde, \(load.name)", measurement(sonde[index], cycles), figures)
  }
}

private func measurement(_ spent: [Spent], _ cycles: Double) -> Measurement {
  Measurement(
    processor: spent.map { $0.processor / cycles }, wall: spent.map { $0.wall / cycles })
}

/// Nanoseconds of one run.
private struct Spent {
  var processor: Double
  var wall: Double

  static func - (left: Spent, right: Spent) -> Spent {
    Spent(processor: left.processor - right.processor, wall: left.wall - right.wall)
  }
}

/// A CSD that leaves Csound next to nothing to do, so that what surrounds it shows.
private struct LightCSD {
  let path: String
  let cycles: Int
  private static let (rate, ksmps) = (48000, 32)

  init(seconds: Double, in folder: TemporaryFolder) throws(SystemError) {
    cycles = Int(seconds) * LightCSD.rate / LightCSD.ksmps
    path = "\(folder.path)/light-\(cycles).csd"
    let text = """
      <CsoundSynthesizer>
      <CsOptions>
      -n -d -m0
      </CsOptions>
      <CsInstruments>
      sr = \(LightCSD.rate)
      ksmps = \(LightCSD.ksmps)
      nchnls = 2
      0dbfs = 1
      giSine ftgen 1, 0, 16384, 10, 1
      instr 1
       a1 oscili 0.2, 440, giSine
       outs a1, a1
      endin
      </CsInstruments>
      <CsScore>
      i 1 0 \(seconds)
      </CsScore>
      </CsoundSynthesizer>

      """
    try writeFile(path, Array(text.utf8))
  }
}

/// How many channels are bound, and how often each of them gets a new value.
private struct ChannelLoad {
  var channels: Int
  /// In every how manieth k-cycle all channels move; nil where they rest.
  var every: Int?

  var name: String {
    if channels == 0 { return "no channel" }
    let number = channels == 1000 ? "1 000" : "\(channels)"
    guard let every else { return "\(number) channels at rest" }
    return "\(number) channels moving every \(every == 1 ? "" : "\(every)th ")k-cycle"
  }
}

/// Moves all channels of a load as the k-cycles go by.
private struct MovingChannels: CommandSource {
  let load: ChannelLoad
  var cycle = 0

  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool {
    cycle += 1
    guard let every = load.every, cycle % every == 0 else { return true }
    let value = Double(cycle & 1023)
    for slot in 0..<load.channels {
      queue.append(EngineCommand(.value, time: limit - 1, slot: slot, value: value))
    }
    return true
  }
}

private func render(_ csd: LightCSD, _ load: ChannelLoad) throws -> Spent {
  let slots = (0..<load.channels).map {
    EnginePatch.Slot.channel(name: "channel\($0)", smoothing: 0)
  }
  let engine = OfflineRender(
    EngineConfiguration(.file(csd.path), patch: EnginePatch(generation: 1, slots: slots)),
    output: nil)
  var source = MovingChannels(load: load)
  let wallStart = monotonicNow()
  let processorStart = threadProcessorTime()
  _ = try engine.run(&source)
  let spent = Spent(
    processor: Double(threadProcessorTime() - processorStart),
    wall: Double(monotonicNow() - wallStart))
  let statistics = engine.statistics
  // A cycle more or less at the score's end is Csound's rounding.
  guard abs(statistics.cycles - csd.cycles) <= 2, statistics.refusedCommands == 0 else {
    throw BenchmarkFailure(
      "\(statistics.cycles) k-cycles were computed instead of \(csd.cycles), and \(statistics.refusedCommands) commands refused."
    )
  }
  return spent
}

private func runCsound(_ csd: LightCSD) throws -> Spent {
  let run = try runProgram(["csound", "-n", csd.path])
  guard run.ending == .exited(status: 0) else {
    throw BenchmarkFailure("csound -n ended with \(run.ending).")
  }
  return Spent(processor: Double(run.processorTime), wall: Double(run.wallTime))
}

private func hasCsound() throws -> Bool {
  do throws(SystemError) {
    _ = try runProgram(["csound", "--version"])
    return true
  } catch {
    if error.number == .notFound { return false }
    throw error
  }
}
