import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// A player whose threads wait for memory or for other programs hears it.
  @Suite struct Realtime {
    private static let map = """
      device pad gamepad model=dualsense
      pad.left.x  -> left
      pad.south   -> note Held key=60

      """

    /// Plays for some seconds with a pad in busy hands.
    private func play(_ sonde: PlayingSonde) throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(sonde.waitForSentence { $0.hasPrefix("+ ") } != nil)
      var next = monotonicNow()
      for number in 0..<Repetition.count(of: 20_000) {
        try pad.send(afterMicroseconds: 2000) { report in
          report.gyro = [Int16(100 + number % 300), 0, 0]
          report.leftX = UInt8(number % 256)
        }
        next += 2_000_000
        sleepUntil(next)
      }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    /// Whether the kernel schedules the thread by SCHED_RR, RealtimeKit's default (2, field 41 of its `stat`).
    private func isRealtime(_ name: String, of process: ChildProcess) -> Bool {
      let folder = "/proc/\(process.identifier)/task"
      return TextFiles.names(in: folder).contains { task in
        guard let stat = TextFiles.read("\(folder)/\(task)/stat"), stat.contains("(\(name))")
        else { return false }
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 38 && fields[38] == "2"
      }
    }

    private func expectNoFaults(_ sonde: PlayingSonde) throws {
      for thread in ["performThread", "inputThread"] {
        let minor = try sonde.statistic("minorFaults", of: thread)
        report("page faults of \(thread) after its first second: \(minor)")
        #expect(minor == 0, "\(thread)")
        #expect(try sonde.statistic("majorFaults", of: thread) == 0, "\(thread)")
        #expect(try sonde.statistic("waits", of: thread) > 0, "\(thread)")
      }
    }

    /// What comes and goes, moves and is played touches no memory for the first time.
    @Test func playingCostsNoPageFault() throws {
      let sonde = try PlayingSonde(
        csd: LabOrchestra.csd(LabOrchestra.toneAndNotes), map: Self.map)
      try play(sonde)
      sonde.stop()
      #expect(try sonde.text("granted", of: "performThread") == "limits")
      #expect(try sonde.text("granted", of: "inputThread") == "limits")
      try expectNoFaults(sonde)
    }

    /// The same for someone who may neither have priority by his limits nor lock memory, with RealtimeKit's own daemon.
    @Test func realtimeKitGrantsWhatTheLimitsDoNot() throws {
      let bus = try SystemBus()
      let sonde = try PlayingSonde(
        csd: LabOrchestra.csd(LabOrchestra.toneAndNotes), map: Self.map,
        user: .nobody(groups: ["input"]))
      // An emulated machine may be so slow that it is taken away again: what counts is that it was given.
      let policies = ["sonde-perform", "sonde-input"].map { name in
        wait(seconds: 15, interval: 0.02) { isRealtime(name, of: sonde.process) ? () : nil } != nil
      }
      #expect(policies == [true, true])
      try play(sonde)
      sonde.stop()
      for (thread, priority) in [("performThread", 14), ("inputThread", 12)] {
        #expect(try sonde.text("granted", of: thread) == "RealtimeKit")
        // 70 and 60 of 99, in RealtimeKit's 20.
        #expect(try sonde.statistic("priority", of: thread) == priority)
      }
      try expectNoFaults(sonde)
      withExtendedLifetime(bus) {}
    }

    /// RealtimeKit has whoever computes for longer than 200 ms at a stretch killed. The music must go on.
    @Test func aLongComputationLosesThePriorityAndNotTheMusic() throws {
      let bus = try SystemBus()
      let orchestra = """
        alwayson "Notes"
        instr Held
          iCount = 0
          while iCount < 20000000 do
            iCount += 1
          od
          prints "burnt 1\\n"
        endin
        instr Notes
          kLeft chnget "left"
          printk2 kLeft
        endin
        schedule "Held", 3, 0.1
        """
      let sonde = try PlayingSonde(
        csd: LabOrchestra.csd(orchestra), map: Self.map, user: .nobody(groups: []))
      #expect(sonde.waitForValue("burnt", 1, within: 0) == 1)
      let sentence = sonde.waitForSentence { $0.contains("Realtime priority was taken away") }
      #expect(sentence != nil, "\(sonde.process.errors.all)")
      sonde.stop()
      #expect(try sonde.text("granted", of: "performThread") == "RealtimeKit")
      #expect(try sonde.text("isRealtime", of: "performThread") == "false")
      withExtendedLifetime(bus) {}
    }

    /// The instrument plays meanwhile, and has its priority as soon as the bus answers.
    @Test func aFrozenBusDoesNotHangTheStart() throws {
      let bus = try SystemBus()
      bus.freeze()
      let sonde = try PlayingSonde(
        csd: LabOrchestra.csd(LabOrchestra.toneAndNotes), map: Self.map, user: .nobody(groups: []))
      #expect(sonde.waitForSentence { $0.contains("RealtimeKit does not answer.") } != nil)
      bus.thaw()
      pause(seconds: 4)
      sonde.stop()
      #expect(try sonde.text("granted", of: "performThread") == "RealtimeKit")
      withExtendedLifetime(bus) {}
    }
  }
}
