import CsoundEngine
import Events
import LinuxIO

extension Section {
  static let engine = Section(
    name: "engine", summary: "the cost of a k-cycle, beside the command csound",
    measure: measureEngine)
}

/// The cost of a k-cycle under Sonde's loop, beside the command `csound` on the same CSD.
///
/// Of every run a long and a short score are measured and subtracted, so starting and compiling do not count.
private func measureEngine(_ extent: Extent, _ report: Report) throws {
  report.begin(
    "Engine", per: "per k-cycle",
    "One oscillator, ksmps 32, 48 kHz, computed offline without a file. The ratio is to the command csound."
  )
  let folder = try TemporaryFolder("sonde-bench")
  let loads: [ChannelLoad] = [
    ChannelLoad(channels: 0, every: nil), ChannelLoad(channels: 100, every: nil),
    ChannelLoad(channels: 100, every: 10), ChannelLoad(channels: 100, every: 1),
    ChannelLoad(channels: 1000, every: nil), ChannelLoad(channels: 1000, every: 10),
    ChannelLoad(channels: 1000, every: 1),
  ]
  let short = try LightCSD(seconds: 1, in: folder)
  // About as much to do for each: the more commands, the shorter the score.
  let scores = try loads.map {
    try LightCSD(seconds: max(3, extent.count($0.fullSeconds)), in: folder)
  }
  let hasCsound = try hasCsound()
  if !hasCsound {
    report.remark("There is no ratio: the command csound is missing; install the package csound.")
  }
  var csound: [CycleTime] = []
  var sonde = loads.map { _ in [CycleTime]() }
  // All of them in every round: what else the machine does falls on all alike.
  for round in 0...extent.runs {
    if hasCsound {
      let time = try CycleTime(runCsound(scores[0]), runCsound(short), scores[0], short)
      if round > 0 { csound.append(time) }
    }
    for (index, load) in loads.enumerated() {
      let score = scores[index]
      let time = try CycleTime(render(score, load), render(short, load), score, short)
      if round > 0 { sonde[index].append(time) }
    }
  }
  if hasCsound { report.add("the command csound -n", measurement(csound)) }
  for (index, load) in loads.enumerated() {
    var figures: [Figure] = []
    if hasCsound {
      let ratio = Samples(zip(sonde[index], csound).map { $0.processor / $1.processor }).median
      figures.append(("ratio_to_csound", ratio, "× \(Report.decimals(ratio, 2))"))
      let more = Samples(zip(sonde[index], csound).map { $0.processor - $1.processor }).median
      figures.append(("more_than_csound_ns", more, "\(Report.time(more)) more"))
    }
    report.add("sonde, \(load.name)", measurement(sonde[index]), figures)
  }
}

private func measurement(_ times: [CycleTime]) -> Measurement {
  Measurement(processor: times.map(\.processor), wall: times.map(\.wall))
}

/// Nanoseconds that a whole run took.
private struct Spent {
  var processor: Double
  var wall: Double
}

/// Nanoseconds of one k-cycle, from a long run less a short one.
private struct CycleTime {
  var processor: Double
  var wall: Double

  init(_ long: Spent, _ short: Spent, _ longCSD: LightCSD, _ shortCSD: LightCSD) {
    let cycles = Double(longCSD.cycles - shortCSD.cycles)
    processor = (long.processor - short.processor) / cycles
    wall = (long.wall - short.wall) / cycles
  }
}

/// A CSD that leaves Csound next to nothing to do, so that what surrounds it shows.
struct LightCSD {
  let path: String
  let cycles: Int
  private static let (rate, ksmps) = (48000, 32)

  init(seconds: Int, in folder: TemporaryFolder) throws(SystemError) {
    cycles = seconds * LightCSD.rate / LightCSD.ksmps
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
  /// All channels move in one of so many k-cycles; nil where they rest.
  var every: Int?

  /// How long a score shows the cost of a k-cycle.
  var fullSeconds: Int {
    let commands = every.map { channels / $0 } ?? 0
    return 1200 / max(1, commands / 10)
  }

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
