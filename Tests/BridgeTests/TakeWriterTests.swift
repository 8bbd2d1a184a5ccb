import Bridge
import Events
import LinuxIO
import Testing

/// If these fail, what was played cannot be heard again, or not as it was.
@Suite struct TakeWriterTests {
  static let pad = DeviceDescription(
    kind: .gamepad, name: "Wireless \"Pad\"\n\\", model: "dualsense", vendor: 0x054c,
    product: 0x0ce6, uniq: "02:03", path: "usb-1.2", controls: ["left", "touch"])
  static let imu = DeviceDescription(kind: .imu, name: "accel_3d", controls: ["accelerometer"])
  static let keys = DeviceDescription(kind: .midi, name: "KeyStep", controls: ["notes"])

  static func value(
    _ time: Nanoseconds, _ device: DeviceIndex, _ name: String, _ value: Double,
    _ sensorTime: Nanoseconds = .none
  ) -> ControlEvent {
    TakeReaderTests.value(time, device, name, value, sensorTime: sensorTime)
  }

  static func text(
    start: Nanoseconds = 0, _ body: (TakeWriter) throws -> Void
  ) throws -> (text: String, skipped: Int) {
    let sink = MemorySink()
    let writer = TakeWriter(sink, start: start)
    try body(writer)
    try writer.finish()
    return (sink.text, writer.skippedCount)
  }

  static func frame(_ events: [ControlEvent]) -> [ControlEvent] {
    events + [ControlEvent(.frameEnd, time: events[0].time, device: events[0].device)]
  }

  @Test func everyKindOfLineIsWrittenAsTheFormatSays() throws {
    let s: Nanoseconds = 1_234_567_890_000
    let base: Nanoseconds = 77_000_000_123  // times count from the whole microsecond below
    let t = base - 123
    let written = try Self.text(start: base) { writer in
      writer.declare(
        0, Self.pad, axes: [(.raw(.pad, type: 3, code: 6), ValueRange(0, 255))])
      writer.declare(1, Self.keys)
      writer.widgetNames = ["cutoff", "my knob"]
      writer.appendCalibration("gyro.bias", [0.001, 0, -0.002], device: 0, time: base)
      for event in Self.frame([
        ControlEvent(.plugged, time: base, device: 0), Self.value(base, 0, "left.x", 0.25),
      ]) { writer.append(event) }
      for event in Self.frame([
        Self.value(t + 4_000_000, 0, "accelerometer.x", 0.01, s),
        Self.value(t + 4_000_000, 0, "accelerometer.y", -0.02, s),
        Self.value(t + 4_000_000, 0, "accelerometer.z", -1, s),
        Self.value(t + 4_000_000, 0, "gyro.x", 0, s),
        Self.value(t + 4_000_000, 0, "gyro.y", 1e-7, s),
        Self.value(t + 4_000_000, 0, "gyro.z", -0.0, s), Self.value(t + 4_000_000, 0, "south", 1),
      ]) { writer.append(event) }
      for event in Self.frame([
        Self.value(t + 5_000_001, 0, "gyro.x", 1, s), Self.value(t + 5_000_001, 0, "gyro.y", 2, s),
        Self.value(t + 5_000_001, 0, "gyro.z", 3, s),
        Self.value(t + 5_000_001, 0, "accelerometer.x", 4, s),
      ]) { writer.append(event) }
      writer.appendMIDI([0x90, 0x3c, 0x64], device: 1, time: t + 6_000_000)
      for (time, events) in [
        (7, [("touch0.x", 0.5), ("touch0.y", 0.25), ("touch0.down", 1)]),
        (8, [("touch0.x", 0.75), ("touch0.y", 0.25)]), (9, [("touch0.x", 1)]),
        (10, [("touch0.down", 0), ("touch0.x", 0.875), ("touch0.y", 0)]),
        (11, [("touch0.x", 0), ("touch0.y", 0)]),
        (12, [("ABS_THROTTLE", 128), ("motion.ABS_RZ", -7)]),
      ] as [(Nanoseconds, [(String, Double)])] {
        let time = t + time * 1_000_000
        for event in Self.frame(events.map { Self.value(time, 0, $0.0, $0.1) }) {
          writer.append(event)
        }
      }
      writer.append(
        ControlEvent(
          .widget, time: t + 13_000_000, device: 0, control: ControlID(rawValue: 1), value: 440))
      writer.append(
        ControlEvent(
          .raw, time: t + 14_000_000, device: 0, control: .raw(.pad, type: 3, code: 5), value: -160,
          node: 4))
      for event in Self.frame([
        ControlEvent(.lost, time: t + 15_000_000, device: 0),
        Self.value(t + 15_000_000, 0, "south", 0),
      ]) { writer.append(event) }
      writer.append(ControlEvent(.unplugged, time: t + 16_000_000, device: 0))
      for event in Self.frame([
        ControlEvent(.plugged, time: t + 2_000_000_000, device: 0),
        Self.value(t + 2_000_000_000, 0, "east", 1),
      ]) { writer.append(event) }
      writer.declare(2, Self.imu)
      for event in Self.frame([
        ControlEvent(.plugged, time: t + 2_500_000_000, device: 2),
        Self.value(t + 2_500_000_000, 2, "accelerometer.z", -1),
      ]) { writer.append(event) }
    }
    #expect(written.skipped == 0)
    #expect(
      written.text == """
        sonde-take 1
        0.000000123 device pad gamepad name="Wireless \\"Pad\\"\\x0a\\\\" model="dualsense" vendor=054c product=0ce6 uniq="02:03" path="usb-1.2" controls="left touch"
        axis pad ABS_THROTTLE 0 255
        calibration pad gyro.bias 0.001 0 -0.002
        0.000000123 pad left.x 0.25
        0.004000 pad motion 0.01 -0.02 -1 0 1e-07 -0 @1234.567890
        0.004000 pad south 1
        0.005000001 pad gyro 1 2 3 @1234.567890
        0.005000001 pad accelerometer.x 4 @1234.567890
        0.006000 device keys midi name="KeyStep" controls="notes"
        0.006000 keys midi 90 3c 64
        0.007000 pad touch 0 0.5 0.25
        0.008000 pad touch 0 0.75 0.25
        0.009000 pad touch0.x 1
        0.010000 pad touch 0 0.875 0
        0.010000 pad touch 0 up
        0.011000 pad touch0.x 0
        0.011000 pad touch0.y 0
        0.012000 pad ABS_THROTTLE 128
        0.012000 pad motion.ABS_RZ -7
        0.013000 widget "my knob" 440
        0.014000 raw event4 3 5 -160
        0.015000 pad lost
        0.015000 pad south 0
        0.016000 pad unplugged
        2.000000 pad plugged
        2.000000 pad east 1
        2.500000 device body imu name="accel_3d" controls="accelerometer"
        2.500000 body accelerometer.z -1

        """)
  }

  @Test func devicesThatWereThereBeforeStandWithoutATime() throws {
    let written = try Self.text(start: 1000) { writer in
      writer.declare(0, Self.imu)
      writer.declare(1, Self.imu)
      for event in Self.frame([
        ControlEvent(.plugged, time: 500, device: 1), Self.value(500, 1, "gyro.x", 1),
      ]) { writer.append(event) }
    }
    #expect(
      written.text == """
        sonde-take 1
        device body2 imu name="accel_3d" controls="accelerometer"
        0.000000 body2 gyro.x 1
        device body imu name="accel_3d" controls="accelerometer"

        """)
  }

  @Test func framesOfSeveralDevicesAreSorted() throws {
    let written = try Self.text { writer in
      writer.declare(0, Self.pad)
      writer.declare(1, Self.imu)
      for (time, device) in [(5, 0), (7, 0), (4, 1), (6, 1)] as [(Nanoseconds, DeviceIndex)] {
        for event in Self.frame([Self.value(time * 1_000_000, device, "left.x", 1)]) {
          writer.append(event)
        }
      }
      try writer.flush(now: 6_000_000 + TakeWriter.reorderWindow)
      // Later than the window allows: moved up to what is written, never back.
      for event in Self.frame([Self.value(1_000_000, 1, "left.y", 1)]) { writer.append(event) }
    }
    let times = written.text.split(separator: "\n").filter { $0.contains(" left.") }
      .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    #expect(
      times == [
        "0.004000 body left.x", "0.005000 pad left.x", "0.006000 body left.x",
        "0.006000 body left.y", "0.007000 pad left.x",
      ])
  }

  @Test func aPressAndItsReleaseInOneInstantStayTwoFrames() throws {
    let written = try Self.text { writer in
      writer.declare(0, Self.pad)
      for (kind, value) in [(ControlEvent.Kind.value, 1.0), (.value, 0), (.lost, 0), (.value, 0.5)]
      {
        let event =
          kind == .lost
          ? ControlEvent(.lost, time: 9_000, device: 0) : Self.value(9_000, 0, "south", value)
        for event in Self.frame([event]) { writer.append(event) }
      }
      // Another control at that time fits into the frame.
      for event in Self.frame([Self.value(10_000, 0, "east", 1)]) { writer.append(event) }
      for event in Self.frame([Self.value(10_000, 0, "west", 1)]) { writer.append(event) }
    }
    // What follows a loss is its own frame, or one with the loss.
    let lines = written.text.split(separator: "\n").dropFirst(2)
    #expect(
      Array(lines) == [
        "0.000009 pad south 1", "0.000009001 pad south 0", "0.000009002 pad lost",
        "0.000009002 pad south 0.5", "0.000010 pad east 1", "0.000010 pad west 1",
      ])
  }

  @Test func aNumberThatPassesToAnotherDeviceGetsAnotherName() throws {
    let other = DeviceDescription(kind: .gamepad, name: "Other", controls: ["left"])
    let written = try Self.text { writer in
      func play(_ device: DeviceIndex, _ description: DeviceDescription, _ time: Nanoseconds) {
        writer.declare(device, description)
        for event in Self.frame([
          ControlEvent(.plugged, time: time, device: device), Self.value(time, device, "south", 1),
        ]) { writer.append(event) }
      }
      play(0, Self.pad, 1_000)
      writer.append(ControlEvent(.unplugged, time: 2_000, device: 0))
      play(0, other, 3_000)
      play(3, Self.pad, 4_000)  // it comes back under another number
      play(0, Self.pad, 5_000)  // and one just like it, while it is still there
    }
    let lines = written.text.split(separator: "\n").dropFirst().map {
      $0.split(separator: " ").prefix(3).joined(separator: " ")
    }
    #expect(
      lines == [
        "0.000001 device pad", "0.000001 pad south", "0.000002 pad unplugged",
        "0.000003 device pad2", "0.000003 pad2 south", "0.000004 pad plugged",
        "0.000004 pad south", "0.000004 pad2 unplugged", "0.000005 device pad3",
        "0.000005 pad3 south",
      ])
    #expect(try !TakeReaderTests.items(written.text).isEmpty)
  }

  @Test func whatCannotBeWrittenIsCountedAndLeftOut() throws {
    let written = try Self.text { writer in
      writer.declare(0, Self.pad)
      for event in Self.frame([
        Self.value(1_000, 0, "south", .nan), Self.value(1_000, 0, "east", .infinity),
        ControlEvent(.value, time: 1_000, device: 0, control: ControlID(rawValue: 159), value: 1),
        Self.value(1_000, 0, "west", 1),
      ]) { writer.append(event) }
      for event in Self.frame([Self.value(2_000, 9, "west", 1)]) { writer.append(event) }
      writer.append(ControlEvent(.widget, time: 3_000, device: 0, value: 1))
      writer.appendWidget("w", .nan, time: 4_000)
      writer.appendMIDI([0x90], device: 0, time: 5_000)
      writer.append(ControlEvent(.unplugged, time: 6_000, device: 0))
      for event in Self.frame([Self.value(7_000, 0, "west", 1)]) { writer.append(event) }
    }
    #expect(written.skipped == 8)
    #expect(
      written.text.split(separator: "\n").dropFirst(2)
        == ["0.000001 pad west 1", "0.000006 pad unplugged"])
  }

  @Test func whatIsFlushedIsAWholeTake() throws {
    let sink = MemorySink()
    let writer = TakeWriter(sink, start: 0)
    try writer.flush(now: 0)
    #expect(sink.text == "sonde-take 1\n")
    writer.declare(0, Self.pad)
    for index in 1...1000 {
      let time = Nanoseconds(index) * 1_000_000
      for event in Self.frame([Self.value(time, 0, "left.x", Double(index) / 1000)]) {
        writer.append(event)
      }
      writer.append(Self.value(time + 1, 0, "left.y", 1))  // a frame that never ended
      if index % 100 == 0 {
        try writer.flush(now: time)
        let items = try TakeReaderTests.items(sink.text)
        // Two frames for each millisecond, of which the last is not old enough, and the device.
        #expect(items.count == 2 * (index - 50))
        #expect(sink.text.hasSuffix("\n"))
      }
      writer.append(ControlEvent(.frameEnd, time: time + 1, device: 0))
    }
  }

  @Test func aRecordingOnDiskIsReadBackPieceByPiece() throws {
    let path = "/tmp/sonde-take-\(UInt64.random(in: 0 ... .max)).take"
    defer { try? removeFile(path) }
    let writer = TakeWriter(try FileWriter(path), start: 0)
    writer.declare(0, Self.pad)
    let count = 20_000  // more than one piece of the reader
    for index in 1...count {
      let time = Nanoseconds(index) * 1_000_000
      for event in Self.frame([Self.value(time, 0, "left.x", Double(index) / 20_000)]) {
        writer.append(event)
      }
    }
    // Killed here: what is older than the window has reached the file.
    try writer.flush(now: Nanoseconds(count) * 1_000_000)
    let reader = TakeReader(try FileReader(path), name: path)
    var frames = 0
    while let item = try reader.next() {
      guard case .frame(let events) = item else { continue }
      frames += 1
      #expect(events[events.count - 2].value == Double(frames) / 20_000)
    }
    #expect(frames == count - 50)
    #expect(reader.endTime == Nanoseconds(count - 50) * 1_000_000)
  }

  @Test func aRecordingThatStartsLateBeginsWithWhatIsHeld() throws {
    var states = ControlStates()
    for event in [
      Self.value(1, 0, "left.x", 1), Self.value(2, 0, "south", 1), Self.value(3, 0, "left.x", 0.5),
      Self.value(4, 1, "gyro.x", 2), Self.value(5, 0, "east", 1), Self.value(6, 0, "east", 0),
    ] { states.apply(event) }
    #expect(
      states.snapshot(of: 0, at: 9)
        == Self.frame([
          ControlEvent(.plugged, time: 9, device: 0), Self.value(9, 0, "left.x", 0.5),
          Self.value(9, 0, "south", 1),
        ]))
    states.apply(ControlEvent(.unplugged, time: 10, device: 0))
    #expect(states.snapshot(of: 0, at: 11).count == 2)
  }
}
