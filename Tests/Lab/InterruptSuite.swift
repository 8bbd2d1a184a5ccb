import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// Ctrl-C must be quick and leave nothing broken; a crash must not cost the recording.
  @Suite struct Interrupts {
    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsPlayingWithStatistics(signal: Int32) throws {
      let sonde = try PlayingSonde(
        csd: LabOrchestra.csd(
          LabOrchestra.shows("left") + "\n" + LabOrchestra.toneAndNotes,
          options: "-odac:hw:0 -b1024 -B4096 -d"),
        map: """
          device pad gamepad
          pad.left.x -> left
          pad.south  -> note Held

          """, options: [])
      let pad = try VirtualInputDevice(.gamepad())
      let node = try #require(pad.waitForNode().nodes.first)
      try #require(sonde.waitForSentence { $0.hasPrefix("+ ") } != nil)
      try pad.send(.key(0x130, true))
      #expect(wait(seconds: 60) { sonde.values("notes").last == 1 ? () : nil } != nil)
      let before = sonde.process.errors.lines.count
      let began = monotonicNow()
      sonde.process.signal(signal)
      #expect(sonde.process.waitForEnd(seconds: 60) == .exited(0), "\(sonde.process.errors.all)")
      let seconds = Double(monotonicNow() - began) / 1e9
      report("signal \(signal): ended after \(seconds.text(decimals: 2)) s, a note was held")
      // A second on a real machine; this one is emulated.
      #expect(seconds < 2)
      let last = sonde.process.errors.lines.dropFirst(before)
      #expect(last.contains { $0.contains(" events, ") && $0.contains(" xruns") }, "\(last)")
      #expect(sonde.values("notes").last == 0)
      #expect(try sonde.statistic("events") > 0)
      pad.unplug()
      try Arrival.waitUntilGone([node])
    }

    @Test func aKilledRecordingReadsToItsLastWholeLine() throws {
      let folder = try LabFolder()
      let take = folder.file("killed.take")
      let sonde = try SondeCommand.start("record", take)
      try #require(sonde.errors.waitForLine(seconds: 120) { $0.hasPrefix("Recording") } != nil)
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(sonde.errors.waitForLine(seconds: 60) { $0.hasPrefix("+ ") } != nil)
      // Every report moves stick and sensor, so that there is much to cut.
      var number = 0
      func play() throws {
        number += 1
        let step = number
        try pad.send { report in
          report.leftX = UInt8(step % 100)
          report.gyro = [Int16(100 + step % 1000), Int16(step % 777), Int16(-step % 555)]
        }
        pause(seconds: 0.004)
      }
      let isGrowing: Void? = try wait(seconds: 60, interval: 0) {
        try play()
        return (TextFiles.bytes(take)?.count ?? 0) > 20_000 ? () : nil
      }
      try #require(isGrowing != nil, "the take stays empty while it is recorded")
      sonde.signal(SIGKILL)
      #expect(sonde.waitForEnd(seconds: 60) == .killed(signal: SIGKILL))

      let map = try folder.write("gamepad.left.x -> left\n", to: "lab.map")
      let trace = try SondeCommand.start("trace", take, "--map", map)
      #expect(trace.waitForEnd(seconds: 120) == .exited(0), "\(trace.errors.all)")
      let values = trace.output.lines.compactMap { line -> Double? in
        let fields = line.split(separator: ",")
        return fields.count == 3 && fields[1] == "left" ? Double(fields[2]) : nil
      }
      report("killed while recording: \(values.count) of \(number) positions are in the take")
      #expect(values.count > 20)
      for (index, value) in values.enumerated() {
        #expect(abs(value - (Double((index + 1) % 100) / 127.5 - 1)) <= 1 / 127.5)
      }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }
  }
}
