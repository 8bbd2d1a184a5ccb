import CsoundEngine
import Testing

@testable import Bridge

/// If these fail, the counts at the end are wrong or cannot be read by a program.
@Suite struct StatisticsReportTests {
  @Test func theLineTellsWhatHappened() {
    var engine = EngineStatistics()
    var session = SessionStatistics()
    session.events = 12
    engine.load = 0.126
    #expect(
      StatisticsReport(engine: engine, session: session).line
        == "12 events, 0 xruns, 0 late, load 13 %.")
    engine.xruns = 1
    engine.lateCommands = 2
    engine.droppedCommands = 3
    engine.refusedCommands = 5
    session.kernelLosses = 6
    session.droppedNotes = 4
    #expect(
      StatisticsReport(engine: engine, session: session).line
        == "12 events, 1 xruns, 2 late, load 13 %, 6 overruns in the kernel, 7 dropped, 5 refused.")
  }

  /// A load that is no number must not end the program that plays.
  @Test(arguments: [Double.nan, .infinity, 1e300]) func anyLoadCanBeTold(_ load: Double) {
    var engine = EngineStatistics()
    engine.load = load
    let report = StatisticsReport(engine: engine, session: SessionStatistics())
    #expect(report.line.hasPrefix("0 events"))
    #expect(report.json.text.contains("\"load\":"))
  }

  @Test func timesAreInSeconds() {
    var engine = EngineStatistics()
    engine.backend = "alsa"
    engine.latency = 12_500_000
    engine.worstCycle = 1_500_000
    engine.rate = 48000
    let text = StatisticsReport(engine: engine, session: SessionStatistics()).json.text
    for member in [
      "\"backend\":\"alsa\"", "\"latency\":0.0125", "\"worstCycle\":0.0015", "\"rate\":48000",
      "\"isRealtime\":false",
    ] {
      #expect(text.contains(member))
    }
  }
}
