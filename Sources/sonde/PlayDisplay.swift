import Audio
import Bridge
import CsoundEngine
import Events
import LinuxIO
import Mapping

/// Shows what happens while Sonde plays: one line of what moves, and sentences above it.
final class PlayDisplay {
  private static let refresh: Nanoseconds = 100_000_000

  private let isQuiet: Bool
  private let statisticsPath: String?
  private var line = ActivityLine()
  private var nextRefresh: Nanoseconds = 0
  private var isFailed = false

  init(isQuiet: Bool, statisticsPath: String?) {
    self.isQuiet = isQuiet
    self.statisticsPath = statisticsPath
  }

  func show(_ report: SessionReport) {
    switch report {
    case .started(let start): show(start)
    case .input(let report): Terminal.error(InputSentences.text(report))
    case .message(let message): EngineMessages.show(message)
    case .notice(let sentence): Terminal.error("sonde: \(sentence.printable)")
    case .event(let event):
      if isQuiet || !Terminal.isInteractive { return }
      line.note(event)
      let now = monotonicNow()
      if now < nextRefresh { return }
      nextRefresh = now + PlayDisplay.refresh
      Terminal.status(line.text(at: now, width: Terminal.width))
    case .ended(_, let engine, let session): end(engine, session)
    }
  }

  private func show(_ start: SessionReport.Start) {
    for diagnostic in start.diagnostics {
      Terminal.error(diagnostic.rendered(colour: Terminal.hasColour))
    }
    let engine = start.statistics
    let parts = engine.latencyParts
    let latency =
      engine.latency > 0
      ? "latency \(engine.latency.milliseconds) (\(parts.sentence))"
      : "latency up to \(parts.total.milliseconds)"
    let device = engine.device.isEmpty ? engine.backend : "\(engine.backend) \(engine.device)"
    Terminal.error("Playing \(start.instrument) with \(start.mapping).")
    Terminal.error(
      "Sound: \(device), \(engine.rate) Hz, \(engine.periods)×\(engine.period) frames, \(latency)\(priority(start))."
    )
    if !start.waiting.isEmpty {
      Terminal.error(
        "Waiting for: \(start.waiting.joined(separator: ", ")). Plug it in at any time.")
    }
  }

  private func priority(_ start: SessionReport.Start) -> String {
    guard case .realtime(_, let grantor) = start.statistics.performThread.scheduling,
      case .realtime = start.inputThread.scheduling
    else { return "" }
    return grantor == .realtimeKit ? ", realtime priority by RealtimeKit" : ", realtime priority"
  }

  private func end(_ engine: EngineStatistics, _ session: SessionStatistics) {
    Terminal.clearStatus()
    let statistics = StatisticsReport(engine: engine, session: session)
    Terminal.error(statistics.line)
    for line in statistics.deviceLines { Terminal.error(line) }
    guard let statisticsPath else { return }
    do throws(SystemError) {
      try writeFile(statisticsPath, Array((statistics.json.text + "\n").utf8))
    } catch {
      isFailed = true
      Terminal.error("sonde: The statistics cannot be written: \(error).")
    }
  }

  /// The exit status that `completion` means.
  func finish(_ completion: Completion) -> Int32 {
    if case .failed(let error) = completion {
      Terminal.error("sonde: \(String(describing: error).printable)")
      return 1
    }
    return isFailed ? 1 : 0
  }
}
