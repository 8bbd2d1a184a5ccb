import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// A take is a bug report and a test: what is not in it as it was played cannot be found again.
  @Suite struct Recordings {
    @Test func aTakeHoldsWhatWasPlayed() throws {
      let folder = try LabFolder()
      let take = folder.file("played.take")
      let sonde = try SondeCommand.start("record", take)
      try #require(sonde.errors.waitForLine(seconds: 120) { $0.hasPrefix("Recording") } != nil)
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(sonde.errors.waitForLine(seconds: 60) { $0.hasPrefix("+ ") } != nil)
      let positions = Array(stride(from: UInt8(0), through: 255, by: 17))
      for position in positions {
        try pad.send { report in
          report.leftX = position
          report.tiltRight(degrees: Double(position) / 255 * 90)
        }
        pause(seconds: 0.02)
      }
      try pad.send { $0.buttons = .cross }
      pause(seconds: 0.02)
      try pad.send { $0.buttons = [] }
      pause(seconds: 0.5)
      sonde.signal(SIGINT)
      #expect(sonde.waitForEnd(seconds: 60) == .exited(0), "\(sonde.errors.all)")
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)

      let text = try #require(TextFiles.read(take))
      #expect(text.hasPrefix("sonde-take 1\n"))
      #expect(text.contains("uniq=\"\(pad.uniq)\""))
      let map = try folder.write(
        """
        device pad gamepad model=dualsense
        pad.left.x          -> left
        pad.accelerometer.x -> tilt
        pad.south           -> note 1 key=60

        """, to: "lab.map")
      let trace = try SondeCommand.start("trace", take, "--map", map)
      #expect(trace.waitForEnd(seconds: 120) == .exited(0), "\(trace.errors.all)")
      let rows = trace.output.lines.map { $0.split(separator: ",").map(String.init) }
      func values(_ target: String) -> [String] { rows.filter { $0[1] == target }.map { $0[2] } }

      let left = values("left").compactMap(Double.init)
      #expect(left.count == positions.count, "\(left)")
      for (position, value) in zip(positions, left) {
        #expect(abs(value - (Double(position) / 127.5 - 1)) <= 1 / 127.5)
      }
      let tilt = values("tilt").compactMap(Double.init)
      for position in positions.dropFirst() {
        let wanted = sin(Double(position) / 255 * .pi / 2)
        #expect(tilt.contains { abs($0 - wanted) <= 1.0 / 8192 }, "\(wanted) in \(tilt)")
      }
      #expect(tilt == tilt.sorted())
      #expect(values("note 1") == ["60 127", "off"])
      report("take: \(text.split(separator: "\n").count) lines, \(rows.count - 1) values traced")
    }

    @Test func aRawRecordingHoldsTheKernelsOwnEvents() throws {
      let folder = try LabFolder()
      let take = folder.file("raw.take")
      let sonde = try SondeCommand.start("record", "--raw", take)
      try #require(sonde.errors.waitForLine(seconds: 120) { $0.hasPrefix("Recording") } != nil)
      let pad = try VirtualInputDevice(.gamepad())
      let node = try #require(pad.waitForNode().nodes.first)
      try #require(sonde.errors.waitForLine(seconds: 60) { $0.hasPrefix("+ ") } != nil)
      try pad.send(.axis(0, -160))
      pause(seconds: 0.5)
      sonde.signal(SIGINT)
      #expect(sonde.waitForEnd(seconds: 60) == .exited(0), "\(sonde.errors.all)")
      pad.unplug()
      let text = try #require(TextFiles.read(take))
      // EV_ABS is 3, ABS_X is 0: linux/input-event-codes.h.
      #expect(text.contains("raw event\(node.number) 3 0 -160\n"), "\(text)")
      // Replay leaves them out.
      let map = try folder.write("device pad gamepad\npad.left.x -> left\n", to: "lab.map")
      let trace = try SondeCommand.start("trace", take, "--map", map)
      #expect(trace.waitForEnd(seconds: 120) == .exited(0), "\(trace.errors.all)")
      #expect(trace.output.lines.count == 2)
    }

    @Test func watchingDevicesTellsWhatComesAndGoes() throws {
      let sonde = try SondeCommand.start("devices", "--watch")
      #expect(sonde.output.waitForLine(seconds: 120) { $0.hasPrefix("No controller") } != nil)
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      #expect(sonde.output.waitForLine(seconds: 60) { $0.contains(pad.uniq) } != nil)
      pad.unplug()
      #expect(
        wait(seconds: 60) {
          sonde.output.lines.filter { $0.hasPrefix("No controller") }.count == 2 ? () : nil
        } != nil, "\(sonde.output.lines)")
      try Arrival.waitUntilGone(arrival.nodes)
      sonde.signal(SIGINT)
      #expect(sonde.waitForEnd(seconds: 60) == .exited(0))
    }

    @Test func aRecordedPerformanceRendersWithItsValues() throws {
      let folder = try LabFolder()
      let take = folder.file("played.take")
      let sonde = try SondeCommand.start("record", take)
      try #require(sonde.errors.waitForLine(seconds: 120) { $0.hasPrefix("Recording") } != nil)
      let pad = try VirtualInputDevice(.gamepad())
      let node = try #require(pad.waitForNode().nodes.first)
      try #require(sonde.errors.waitForLine(seconds: 60) { $0.hasPrefix("+ ") } != nil)
      let sent: [Int32] = [-32_768, -16_384, 16_383, 32_767]
      for value in sent {
        try pad.send(.axis(0, value))
        pause(seconds: 0.05)
      }
      pause(seconds: 0.3)
      sonde.signal(SIGINT)
      #expect(sonde.waitForEnd(seconds: 60) == .exited(0), "\(sonde.errors.all)")
      pad.unplug()
      try Arrival.waitUntilGone([node])

      let csd = try folder.write(LabOrchestra.csd(LabOrchestra.shows("left")), to: "lab.csd")
      let map = try folder.write("gamepad.left.x -> left\n", to: "lab.map")
      let render = try SondeCommand.start(
        "render", csd, "--map", map, "--take", take, "--output", folder.file("lab.wav"))
      #expect(render.waitForEnd(seconds: 240) == .exited(0), "\(render.errors.all)")
      let values = render.output.lines.compactMap { line -> Double? in
        let words = line.split(separator: " ")
        return words.count == 2 && words[0] == "left" ? Double(words[1]) : nil
      }
      #expect(values.count == sent.count, "\(render.output.all)")
      for (value, position) in zip(values, sent) {
        #expect(abs(value - (Double(position) / 32_767.5)) <= 1 / 32_767.5)
      }
      #expect(values.first == -1 && values.last == 1)
    }

    @Test func devicesListsThePadAndNoKeyboardOrMouse() throws {
      let pad = try VirtualDualSense()
      let keyboard = try VirtualInputDevice(.keyboard())
      let mouse = try VirtualInputDevice(.mouse())
      let arrival = try pad.waitForNodes()
      let others = try keyboard.waitForNode().nodes + mouse.waitForNode().nodes
      let sonde = try SondeCommand.start("devices", "--json")
      #expect(sonde.waitForEnd(seconds: 120) == .exited(0), "\(sonde.errors.all)")
      let text = sonde.output.all
      #expect(text.contains("\"model\":\"dualsense\""), "\(text)")
      #expect(text.contains("\"uniq\":\"\(pad.uniq)\""))
      for (node, role) in [
        (arrival.pad, "pad"), (arrival.motion, "motion"), (arrival.touchpad, "touchpad"),
      ] {
        let path = try #require(node).path
        #expect(text.contains("{\"path\":\"\(path)\",\"role\":\"\(role)\",\"problem\":null}"))
      }
      for name in ["Lab Keyboard", "Lab Mouse"] { #expect(!text.contains(name)) }
      for node in others { #expect(!text.contains("\"\(node.path)\"")) }
      pad.unplug()
      keyboard.unplug()
      mouse.unplug()
      try Arrival.waitUntilGone(arrival.nodes + others)
    }
  }
}
