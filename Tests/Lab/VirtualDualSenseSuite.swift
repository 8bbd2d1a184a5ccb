import LabSupport
import Testing

extension Lab {
  /// Without these, all that the other suites say of a DualSense would be said of our own idea of one.
  @Suite struct VirtualDualSenseIsReal {
    @Test func theKernelsDriverBindsItAndMakesThreeNodes() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      report("udev took \((arrival.udevDelay * 1000).text(decimals: 0)) ms for three nodes")
      #expect(TextFiles.read("/sys/module/hid_playstation/refcnt") != nil)
      #expect(arrival.nodes.allSatisfy { $0.uniq == "02:50:4e:44:45:01" })
      let motion = try #require(arrival.motion)
      let touchpad = try #require(arrival.touchpad)
      let stick = try #require(arrival.pad)
      #expect(motion.name.hasSuffix("Motion Sensors"))

      // drivers/hid/hid-playstation.c: DS_ACC_RES_PER_G 8192, DS_GYRO_RES_PER_DEG_S 1024, fuzz 16.
      let motionReader = try EventNodeReader(motion)
      for code in UInt16(0)..<3 {
        let axis = try #require(motionReader.axis(code))
        #expect(axis.resolution == 8192 && axis.minimum == -32_768 && axis.maximum == 32_768)
        #expect(axis.fuzz == 16)
      }
      for code in UInt16(3)..<6 {
        let axis = try #require(motionReader.axis(code))
        #expect(axis.resolution == 1024 && axis.maximum == 2048 * 1024)
      }
      let stickReader = try EventNodeReader(stick)
      for code: UInt16 in [0, 1, 2, 3, 4, 5] {
        let axis = try #require(stickReader.axis(code))
        #expect(axis.minimum == 0 && axis.maximum == 255)
      }
      let touchReader = try EventNodeReader(touchpad)
      #expect(try #require(touchReader.axis(0x35)).maximum == 1919)
      #expect(try #require(touchReader.axis(0x36)).maximum == 1079)

      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func itsReportsArriveAsTheyWereSent() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let sticks = try EventNodeReader(#require(arrival.pad))
      let motion = try EventNodeReader(#require(arrival.motion))
      let touch = try EventNodeReader(#require(arrival.touchpad))
      try pad.send()
      _ = wait(seconds: 2) { motion.axis(1)?.value == 8192 ? () : nil }
      _ = (sticks.drain(), motion.drain(), touch.drain())
      try pad.send(afterMicroseconds: 5000) {
        $0.leftX = 255
        $0.rightTrigger = 77
        $0.hat = .upRight
        $0.buttons = [.cross, .ps]
        $0.tiltRight(degrees: 90)
        $0.turn(degreesPerSecond: [10, -20, 100])
        $0.touches = [.init(identifier: 3, x: 1000, y: 600)]
      }
      var sent: [[EventNodeReader.Event]] = [[], [], []]
      _ = wait(seconds: 2) {
        for (index, reader) in [sticks, motion, touch].enumerated() {
          sent[index] += reader.drain()
        }
        return sent.allSatisfy { $0.last?.type == 0 } ? () : nil
      }
      func values(_ events: [EventNodeReader.Event], type: UInt16) -> [UInt16: Int32] {
        Dictionary(events.filter { $0.type == type }.map { ($0.code, $0.value) }) { $1 }
      }
      #expect(values(sent[0], type: 3) == [0: 255, 5: 77, 16: 1, 17: -1])
      #expect(values(sent[0], type: 1) == [0x130: 1, 0x13C: 1])
      // 90° to the right: gravity's reaction goes to −x. 16 raw to the °/s become the driver's 1024.
      #expect(
        values(sent[1], type: 3) == [
          0: -8192, 1: 0, 3: 10 * 1024, 4: -20 * 1024, 5: 100 * 1024,
        ])
      // MSC_TIMESTAMP is the pad's own clock in microseconds: 4000 at the first report, 5000 more at this one.
      #expect(values(sent[1], type: 4)[5] == 9000)
      let finger = values(sent[2], type: 3)
      #expect(finger[0x35] == 1000 && finger[0x36] == 600)
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func twinsAreToldApartByTheirAddress() throws {
      let first = try VirtualDualSense(mac: [2, 0, 0, 0, 0, 1], socket: "lab-usb-1/input0")
      let second = try VirtualDualSense(mac: [2, 0, 0, 0, 0, 2], socket: "lab-usb-2/input0")
      let arrivals = try [first.waitForNodes(), second.waitForNodes()]
      #expect(Set(arrivals[0].nodes.map(\.uniq)) == ["02:00:00:00:00:01"])
      #expect(Set(arrivals[1].nodes.map(\.uniq)) == ["02:00:00:00:00:02"])
      #expect(
        Set(arrivals[0].nodes.map(\.number)).isDisjoint(with: arrivals[1].nodes.map(\.number)))
      first.unplug()
      second.unplug()
      try Arrival.waitUntilGone(arrivals[0].nodes + arrivals[1].nodes)
    }
  }
}
