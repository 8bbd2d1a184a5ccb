import EvdevInput
import Events
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// A stick, a trigger or a button that reads wrong makes every instrument play wrong.
  @Suite struct PadReading {
    @Test func aStickFromEndToEndReadsAsTheReportSays() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try pad.send {
        $0.leftX = 0
        $0.leftY = 0
      }
      let recording = try NodeRecording(#require(arrival.pad))
      #expect(recording.read { $0.values(.leftX).last == -1 && $0.values(.leftY).last == 1 })
      var last = -1.0
      for position in UInt8(1)...255 {
        recording.forget()
        try pad.send {
          $0.leftX = position
          $0.leftY = position
        }
        // Two positions beside the middle, 127 and 128, read 0: the second of them changes nothing.
        if position == 128 { continue }
        try #require(
          recording.read { $0.values(.leftX).count == 1 && $0.values(.leftY).count == 1 })
        let x = recording.values(.leftX)[0]
        // A byte is 1/127.5 of the way; what is told may be one such step away.
        #expect(abs(x - (Double(position) / 127.5 - 1)) <= 1 / 127.5, "position \(position)")
        #expect(x > last, "position \(position)")
        #expect(recording.values(.leftY)[0] == -x)
        if position == 127 { #expect(x == 0) }
        last = x
      }
      #expect(last == 1)
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func buttonsHatAndTriggersReadAsTheReportSays() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.pad))
      let buttons: [(DualSenseReport.Buttons, ControlID)] = [
        (.cross, .south), (.circle, .east), (.square, .west), (.triangle, .north),
        (.l1, .leftShoulder), (.r1, .rightShoulder), (.create, .select), (.options, .start),
        (.ps, .mode), (.l3, .leftClick), (.r3, .rightClick),
      ]
      for (button, control) in buttons {
        recording.forget()
        try pad.send { $0.buttons = button }
        try pad.send { $0.buttons = [] }
        #expect(recording.read { $0.values(control) == [1, 0] }, "\(control.rawValue)")
        #expect(Set(recording.events.filter { $0.kind == .value }.map(\.control)) == [control])
      }
      let directions: [(DualSenseReport.Hat, Double, Double)] = [
        (.up, 0, 1), (.upRight, 1, 1), (.right, 1, 0), (.downRight, 1, -1), (.down, 0, -1),
        (.downLeft, -1, -1), (.left, -1, 0), (.upLeft, -1, 1), (.centre, 0, 0),
      ]
      recording.forget()
      for (hat, x, y) in directions {
        try pad.send { $0.hat = hat }
        #expect(
          recording.read {
            ($0.values(.dpadX).last ?? 0) == x && ($0.values(.dpadY).last ?? 0) == y
          }, "\(hat)")
      }
      recording.forget()
      for position: UInt8 in [51, 102, 255, 0] { try pad.send { $0.rightTrigger = position } }
      #expect(recording.read { $0.values(.rightTrigger) == [0.2, 0.4, 1, 0] })
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func aFingerOnTheTouchpadReadsFromTheLowerLeftCorner() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.touchpad))
      let (x, y) = (ControlID.touchX(0), ControlID.touchX(0).offset(by: 1))
      let down = ControlID.touchX(0).offset(by: 2)
      for (touchX, touchY, left, up) in [
        (UInt16(0), UInt16(1079), 0.0, 0.0), (1919, 0, 1, 1),
        (480, 270, 480 / 1919, 1 - 270 / 1079),
      ] {
        try pad.send { $0.touches = [.init(identifier: 1, x: touchX, y: touchY)] }
        #expect(
          recording.read {
            abs(($0.values(x).last ?? 0) - left) < 1e-9 && abs(($0.values(y).last ?? 0) - up) < 1e-9
              && $0.values(down).last == 1
          }, "\(touchX), \(touchY)")
      }
      try pad.send { $0.touches = [] }
      #expect(recording.read { $0.values(down) == [1, 0] })
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func eventsCarryTheKernelsTime() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.pad))
      let before = monotonicNow()
      try pad.send { $0.buttons = .cross }
      let after = monotonicNow()
      // Read late: the time must be that of the press all the same. The kernel counts whole microseconds.
      pause(seconds: 0.2)
      #expect(recording.read { $0.values(.south) == [1] })
      let time = try #require(recording.events.first { $0.control == .south }?.time)
      #expect(time >= before - 1000 && time <= after)
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func aPadOfFourAxesAndAHatPlaysToo() throws {
      let pad = try VirtualInputDevice(.fourAxisPad())
      let node = try #require(pad.waitForNode().nodes.first)
      let recording = try NodeRecording(node)
      #expect(recording.reader.role == .pad)
      try pad.send(.axis(0, 255), .axis(1, 255), .axis(17, -1), .key(0x130, true))
      #expect(recording.read { $0.count(.frameEnd) > 0 && $0.values(.south) == [1] })
      #expect(recording.values(.leftX).last == 1)
      #expect(recording.values(.leftY).last == -1)
      #expect(recording.values(.dpadY).last == 1)
      pad.unplug()
      try Arrival.waitUntilGone([node])
    }

    /// What someone types is nobody's business.
    @Test(arguments: [VirtualInputDevice.Profile.keyboard(), .mouse(), .touchscreen()])
    func whatIsNoControllerIsLeftAlone(profile: VirtualInputDevice.Profile) throws {
      let device = try VirtualInputDevice(profile)
      let node = try #require(device.waitForNode().nodes.first)
      #expect(throws: EvdevError.self) {
        try EvdevReader(path: node.path, device: 0, number: UInt16(node.number))
      }
      device.unplug()
      try Arrival.waitUntilGone([node])
    }
  }
}
