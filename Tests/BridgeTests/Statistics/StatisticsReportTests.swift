import CsoundEngine
import Events
import LinuxIO
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

  /// Who granted realtime priority, and what the kernel did to the threads.
  @Test func theThreadsAreTold() {
    var engine = EngineStatistics()
    var session = SessionStatistics()
    engine.performThread.scheduling = .realtime(priority: 14, by: .realtimeKit)
    engine.performThread.isRealtime = true
    engine.performThread.time = 2_500_000_000
    engine.performThread.minorFaults = 3
    session.inputThread.scheduling = .refused("No.")
    session.inputThread.majorFaults = 4
    session.inputThread.waits = 5
    session.inputThread.preemptions = 6
    let report = StatisticsReport(engine: engine, session: session)
    for member in [
      #""performThread":{"granted":"RealtimeKit","priority":14,"isRealtime":true,"#
        + #""measured":2.5,"minorFaults":3,"majorFaults":0,"#,
      #""isInputRealtime":false,"inputThread":{"granted":"refused","reason":"No.","isRealtime":false,"#
        + #""measured":0,"minorFaults":0,"majorFaults":4,"waits":5,"preemptions":6}"#,
    ] {
      #expect(report.json.text.contains(member), "\(report.json.text)")
    }
    #expect(report.line.hasSuffix("4 waits for swapped memory."))
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

  @Test func programsFindFourPartsByNamesThatStay() {
    var engine = EngineStatistics()
    engine.startTime = 1_000_000_000
    engine.worstCycleTime = 3_500_000_000
    engine.recentXruns = [.init(time: 2_000_000_000, length: 12_000_000)]
    var session = SessionStatistics()
    var device = DeviceStatistics(name: "Pro Controller", model: "switch-pro")
    var counts = SourceStatistics()
    counts.reports = 3
    counts.clock = .init()
    counts.clock?.delay = 10_250_000
    device.nodes = [.init(role: "motion", counts: counts)]
    session.devices = [device]
    let text = StatisticsReport(engine: engine, session: session).json.text
    for part in [
      "{\"engine\":{\"rate\":", "},\"audio\":{\"backend\":", "},\"input\":{\"events\":",
      "},\"devices\":[{\"name\":\"Pro Controller\",\"model\":\"switch-pro\",",
      "\"worstCycleTime\":2.5,",
      "\"latencyParts\":{\"buffer\":0,\"cycle\":0,\"device\":0,\"margin\":0,\"capture\":null}",
      "\"recentXruns\":[{\"time\":1,\"length\":0.012}]",
      "\"nodes\":[{\"role\":\"motion\",\"reports\":3,",
      "\"clock\":{\"delay\":0.01025,\"drift\":0,\"restarts\":0}",
    ] { #expect(text.contains(part), "\(part) in \(text)") }
  }

  @Test func aDeviceThatDidWellIsNotMentioned() {
    var session = SessionStatistics()
    var well = DeviceStatistics(name: "DualSense")
    var counts = SourceStatistics()
    counts.reports = 1000
    well.nodes = [.init(role: "motion", counts: counts)]
    counts.overruns = 1
    counts.lostSamples = 3
    counts.worstLateness = 7_260_000
    // Three intervals of 0, 0 and 15 ms: 7.07 ms from their mean.
    counts.intervals = 3
    counts.intervalSum = 15_000_000
    counts.intervalSquares = 15_000 * 15_000
    counts.clock = .init()
    counts.clock?.delay = 10_250_000
    var badly = DeviceStatistics(name: "Pro Controller")
    badly.nodes = [.init(role: "motion", counts: counts)]
    session.devices = [well, badly]
    #expect(
      StatisticsReport(engine: EngineStatistics(), session: session).deviceLines == [
        "Pro Controller: 1 overrun in the kernel, 3 motion samples lost, motion waits 10.3 ms, "
          + "because it comes unevenly (by 7.1 ms), motion read up to 7.3 ms late."
      ])
  }
}
