import LabSupport
import Testing

extension Lab {
  @Suite struct VirtualInputDeviceIsReal {
    @Test func aGamepadHasTheAxesAndSendsTheEventsOfItsProfile() throws {
      let pad = try VirtualInputDevice(.gamepad())
      let arrival = try pad.waitForNode()
      let node = try #require(arrival.nodes.first)
      #expect(node.name == "Lab Gamepad")
      #expect(node.udevProperties.contains("ID_INPUT_JOYSTICK=1"))
      let reader = try EventNodeReader(node)
      let stick = try #require(reader.axis(0))
      #expect(stick.minimum == -32_768 && stick.maximum == 32_767 && stick.flat == 128)
      #expect(reader.axis(8) == nil)
      try pad.send(.axis(0, 32_767), .key(0x130, true))
      var events: [EventNodeReader.Event] = []
      _ = wait(seconds: 2) {
        events += reader.drain()
        return events.last?.type == 0 ? () : nil
      }
      #expect(events.map(\.type) == [3, 1, 0])
      #expect(events.map(\.value) == [32_767, 1, 0])
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test(arguments: [
      (VirtualInputDevice.Profile.keyboard(), "ID_INPUT_KEYBOARD=1"),
      (.mouse(), "ID_INPUT_MOUSE=1"), (.touchscreen(), "ID_INPUT_TOUCHSCREEN=1"),
      (.motionSensor(), "ID_INPUT_ACCELEROMETER=1"), (.fourAxisPad(), "ID_INPUT_JOYSTICK=1"),
    ])
    func udevTakesEachProfileForWhatItIs(profile: VirtualInputDevice.Profile, property: String)
      throws
    {
      let device = try VirtualInputDevice(profile)
      let node = try #require(device.waitForNode().nodes.first)
      #expect(node.udevProperties.contains(property), "\(node.udevProperties)")
      device.unplug()
      try Arrival.waitUntilGone([node])
    }
  }
}
