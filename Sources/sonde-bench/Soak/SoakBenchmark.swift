import Audio
import Bridge
import CsoundEngine
import Events
import LinuxIO
import Mapping

extension Section {
  /// A long time of dense input, beside a busy processor.
  static let soak = Section(
    name: "soak", summary: "a long dense take beside a busy processor: what is lost, late or grows"
  ) { extent, report in try Soak(extent, report).run() }
}

private final class Soak {
  private static let period = 256
  /// Until then everything is started, loaded and touched.
  private static let settled: Nanoseconds = 3 * .perSecond

  private let duration: Nanoseconds
  private let report: Report
  /// How long CONTROL, which has an ordinary thread, did not come to read on in the take.
  private var longestPause: Nanoseconds = 0

  init(_ extent: Extent, _ report: Report) {
    duration = extent.soak
    self.report = report
  }

  func run() throws {
    var server: JACKServer?
    do { server = try JACKServer(period: Soak.period) } catch let failure as BenchmarkFailure {
      report.remark("On the system clock, without JACK: \(failure)")
    }
    report.setting(
      "soak",
      "\(duration / .perSecond) s of \(DenseTake.pads) pads at 1 kHz, \(SoakInstrument.lines) lines, "
        + "ksmps \(SoakInstrument.ksmps), 1 busy processor; "
        + (server == nil ? "system clock" : "\(JACKServer.settings), period \(Soak.period)"))
    report.begin(
      "Soak", columns: ["After", "drift", "late", "dropped", "xruns", "CPU", "memory"],
      "Drift of the engine's frames from the system's clock; CPU of one processor, all of Sonde's threads."
    )
    let folder = try TemporaryFolder("sonde-bench")
    let hogs = try ProcessorHogs(1)
    var configuration = EngineConfiguration(.file(try SoakInstrument.csd(in: folder)))
    if server == nil {
      configuration.output = .none
      configuration.period = Soak.period
    } else {
      configuration.options = ["-odac", "-+rtaudio=jack"]
    }
    let instrument = try DrivenInstrument(
      compile(SoakInstrument.mapping).description, configuration)
    defer { instrument.stop() }
    try play(DenseTake(duration: duration), on: instrument, beside: hogs)
    withExtendedLifetime(server) {}
  }

  private func play(
    _ take: DenseTake, on instrument: DrivenInstrument, beside hogs: ProcessorHogs
  ) throws {
    let start = monotonicNow()
    instrument.play(take, name: "dense take", origin: start + 500_000_000)
    var first: SoakSample?
    // A minute, then in ten steps to the end.
    var early: SoakSample?
    let step = max(duration / 10, min(duration / 2, 60 * .perSecond))
    var next = step
    var lastService = start
    while true {
      sleepUntil(monotonicNow() + 50_000_000)
      longestPause = max(longestPause, monotonicNow() - lastService)
      lastService = monotonicNow()
      for text in instrument.service() { StandardStream.error.line("sonde: \(text)") }
      if case .failed(let error)? = instrument.engine.completion { throw error }
      let sample = SoakSample(instrument, hogs, start: start)
      if first == nil && sample.time >= Soak.settled { first = sample }
      if let end = instrument.takeEnd, monotonicNow() > end + .perSecond {
        add("the end", sample, since: first ?? sample, finalNotes(take, instrument, sample, early))
        return
      }
      guard let first, sample.time >= next, sample.time < duration else { continue }
      next += step
      early = early ?? sample
      add("\(sample.time / .perSecond) s", sample, since: first, [])
    }
  }

  private func finalNotes(
    _ take: DenseTake, _ instrument: DrivenInstrument, _ sample: SoakSample, _ early: SoakSample?
  ) -> [Figure] {
    let played = instrument.value(of: SoakInstrument.countChannel) ?? .nan
    let growth = Double(sample.memory - (early ?? sample).memory)
    let engine = instrument.engine.statistics
    return [
      ("notes", played, "\(Report.decimals(played, 0)) of \(take.presses) notes"),
      ("presses", Double(take.presses), ""),
      ("values", Double(take.values), "\(take.values) values"),
      ("events", Double(sample.input.events), ""),
      ("growth_bytes", growth, "memory \(Report.decimals(growth / 1000, 0)) kB more"),
      ("latency_ns", Double(engine.latency), "latency \(Report.time(Double(engine.latency)))"),
      ("worst_cycle_ns", Double(engine.worstCycle), ""),
      (
        "control_pause_ns", Double(longestPause),
        // The take is read two seconds ahead.
        longestPause > 1_900_000_000
          ? "the machine let the take's reader wait for \(Report.time(Double(longestPause)))" : ""
      ),
      ("realtime", instrument.isRealtime ? 1 : 0, instrument.isRealtime ? "" : "not realtime"),
    ]
  }

  private func add(
    _ name: String, _ sample: SoakSample, since first: SoakSample, _ notes: [Figure]
  ) {
    let drift = Double(sample.frameTime - first.frameTime) - Double(sample.time - first.time)
    let load = Double(sample.processorTime - first.processorTime) / Double(sample.time - first.time)
    report.row(
      name,
      [
        ("drift_ns", drift, Report.time(drift)),
        ("late", Double(sample.engine.lateCommands), "\(sample.engine.lateCommands)"),
        ("dropped", Double(sample.dropped), "\(sample.dropped)"),
        ("xruns", Double(sample.engine.xruns), "\(sample.engine.xruns)"),
        ("cpu", load, "\(Report.decimals(load * 100, 1)) %"),
        (
          "resident_bytes", Double(sample.memory),
          "\(Report.decimals(Double(sample.memory) / 1e6, 1)) MB"
        ),
      ], notes)
  }
}

/// How a soak stands at one moment.
private struct SoakSample {
  /// Since the start.
  var time: Nanoseconds
  /// How long the frames last that the engine has computed.
  var frameTime: Nanoseconds
  /// What Sonde's threads spent, without the busy ones besides.
  var processorTime: Nanoseconds
  var memory: Int
  var engine: EngineStatistics
  var input: SessionStatistics

  init(_ instrument: DrivenInstrument, _ hogs: ProcessorHogs, start: Nanoseconds) {
    engine = instrument.engine.statistics
    time = monotonicNow() - start
    input = instrument.inputStatistics
    frameTime =
      FrameClock(rate: JACKServer.rate).time(of: Int64(engine.cycles * SoakInstrument.ksmps))
    processorTime = processProcessorTime() - hogs.processorTime
    memory = ProcessCounts.residentMemory
  }

  /// Whatever did not get through: commands and notes refused, values that a newer one overtook.
  var dropped: Int { engine.droppedCommands + input.droppedNotes + input.replacedValues }
}
