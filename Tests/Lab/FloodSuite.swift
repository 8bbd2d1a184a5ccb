import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// A press that makes no note is the fault that a player forgives least.
  @Suite struct Floods {
    @Test func everyPressIsANoteUnlessTheKernelLostIt() throws {
      let sonde = try PlayingSonde(
        csd: LabOrchestra.csd(LabOrchestra.shows("done", "gyroX") + "\n" + LabOrchestra.counter),
        map: """
          device pad gamepad model=dualsense
          pad.south  -> note Press key=60
          pad.left.x -> done

          """)
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(sonde.waitForSentence { $0.hasPrefix("+ ") } != nil)
      let reports = Repetition.count(of: 10_000) / 8 * 8
      let began = monotonicNow()
      var next = began
      for number in 0..<reports {
        try pad.send(afterMicroseconds: 1000) { report in
          // Different from report to report, and never 0.
          report.gyro = [Int16(100 + number % 300), 0, 0]
          if number % 4 == 3 { report.buttons.formSymmetricDifference(.cross) }
        }
        next += 1_000_000
        sleepUntil(next)
      }
      let seconds = Double(monotonicNow() - began) / 1e9
      try pad.send { $0.leftX = 255 }
      #expect(sonde.waitForValue("done", 1, within: 0) == 1)
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
      sonde.stop()

      let lost = try sonde.statistic("kernelLosses")
      let presses = reports / 8
      let notes = sonde.values("press")
      report(
        "flood: \(reports) reports in \(seconds.text(decimals: 2)) s, \(presses) presses, "
          + "\(Int(notes.last ?? 0)) notes, \(lost) losses in the kernel, "
          + "\(try sonde.statistic("lateCommands")) late")
      // The orchestra counts each; no number is printed twice.
      #expect(notes == notes.sorted() && Set(notes).count == notes.count)
      for counter in ["droppedNotes", "droppedCommands", "refusedCommands", "untakenEvents"] {
        #expect(try sonde.statistic(counter) == 0, "\(counter)")
      }
      // The pad is in the statistics after it left, with what its nodes said.
      #expect(try sonde.statistic("plugCount") == 1)
      #expect(try sonde.statistic("overruns") <= lost)
      #expect(try sonde.statistic("reports") > 0)
      if lost == 0 { #expect(Int(notes.last ?? 0) == presses) }
      #expect(Int(notes.last ?? 0) <= presses && Int(notes.last ?? 0) > presses / 2)
      #expect(sonde.values("gyroX").count > 0)
    }
  }
}
