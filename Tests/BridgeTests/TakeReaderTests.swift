import Bridge
import Events
import Testing

/// If these fail, a recording plays something else than what was played.
@Suite struct TakeReaderTests {
  static func items(_ text: String, pieceSize: Int = .max) throws -> [TakeReader.Item] {
    let reader = TakeReader(MemorySource(text, pieceSize: pieceSize), name: "t.take")
    var items: [TakeReader.Item] = []
    while let item = try reader.next() { items.append(item) }
    return items
  }

  static func message(_ text: String) -> String? {
    do {
      _ = try items(text)
      return nil
    } catch { return "\(error)" }
  }

  static func value(
    _ time: Nanoseconds, _ device: DeviceIndex, _ name: String, _ value: Double,
    sensorTime: Nanoseconds = .none
  ) -> ControlEvent {
    let control = Control.named(name)?.id ?? ControlID(rawName: name) ?? ControlID(rawValue: .max)
    return ControlEvent(
      .value, time: time, device: device, control: control, value: value, sensorTime: sensorTime)
  }

  static func end(_ time: Nanoseconds, _ device: DeviceIndex) -> ControlEvent {
    ControlEvent(.frameEnd, time: time, device: device)
  }

  /// Every kind of line, with what it must come to worked out by hand.
  static let everything = """
    sonde-take 1                                   # comments and blank lines are allowed

    device pad gamepad name="Wireless \\"Controller\\"" model=dualsense vendor=054c product=0ce6 uniq=02:02:03:04:05:06 serial=s1 path="usb-1.2" controls="left right" colour=blue
    device keys midi name="KeyStep"
    axis pad ABS_THROTTLE 0 255
    calibration pad gyro.bias 0.001 0 -0.002
    0.000000 pad left.x 0.25
    0.002000 pad south 1
    0.004000 pad motion 0.01 -0.02 -0.99 0.0 0.1 1e-3 @1234.567890
    0.005000 pad magnetometer 20 -3.5 40 @7.1
    0.005000 pad quaternion 1 0 0 0
    0.010000 keys midi 90 3C 64
    0.010500 keys midi f8
    0.011000 keys midi f0 7e 00 f7
    0.020000 pad touch 0 0.31 0.77
    0.021000 pad touch 0 0.32 0.77
    0.022000 pad touch 0 up
    0.030000 widget cutoff 440
    0.030000 widget "my knob" -1
    0.035000 raw event4 3 5 -160
    0.040000 pad lost
    0.050000 pad ABS_THROTTLE 128
    0.051000 pad motion.ABS_RZ -7 future=1
    1.500000 pad unplugged
    2.000000 pad plugged
    2.000000 pad east 1
    2.500000 device late imu name="gyro_3d"
    2.500000000 late gyro 1 2 3
    2.500000007 late gravity 0 0 -1

    """

  @Test(arguments: [Int.max, 1, 7]) func everyLineMeansWhatTheFormatSays(pieceSize: Int) throws {
    let items = try Self.items(Self.everything, pieceSize: pieceSize)
    let ms: Nanoseconds = 1_000_000
    let value = Self.value
    let end = Self.end
    let pad = DeviceDescription(
      kind: .gamepad, name: "Wireless \"Controller\"", model: "dualsense", vendor: 0x054c,
      product: 0x0ce6, uniq: "02:02:03:04:05:06", serial: "s1", path: "usb-1.2",
      controls: ["left", "right"])
    let s: Nanoseconds = 1_234_567_890_000
    var expected: [TakeReader.Item] = [
      .device(0, name: "pad", pad),
      .device(1, name: "keys", DeviceDescription(kind: .midi, name: "KeyStep")),
      .axis(0, .raw(.pad, type: 3, code: 6), ValueRange(0, 255)),
      .calibration(0, key: "gyro.bias", values: [0.001, 0, -0.002]),
      .frame([
        ControlEvent(.plugged, time: 0, device: 0), value(0, 0, "left.x", 0.25, .none), end(0, 0),
      ]),
      .frame([ControlEvent(.plugged, time: 0, device: 1), end(0, 1)]),
      .frame([value(2 * ms, 0, "south", 1, .none), end(2 * ms, 0)]),
      .frame([
        value(4 * ms, 0, "accelerometer.x", 0.01, s), value(4 * ms, 0, "accelerometer.y", -0.02, s),
        value(4 * ms, 0, "accelerometer.z", -0.99, s), value(4 * ms, 0, "gyro.x", 0, s),
        value(4 * ms, 0, "gyro.y", 0.1, s), value(4 * ms, 0, "gyro.z", 0.001, s), end(4 * ms, 0),
      ]),
      .frame([
        value(5 * ms, 0, "magnetometer.x", 20, 7_100 * ms),
        value(5 * ms, 0, "magnetometer.y", -3.5, 7_100 * ms),
        value(5 * ms, 0, "magnetometer.z", 40, 7_100 * ms),
        value(5 * ms, 0, "quaternion.w", 1, .none), value(5 * ms, 0, "quaternion.x", 0, .none),
        value(5 * ms, 0, "quaternion.y", 0, .none), value(5 * ms, 0, "quaternion.z", 0, .none),
        end(5 * ms, 0),
      ]),
      .midi(time: 10 * ms, 1, [0x90, 0x3c, 0x64]),
      .midi(time: 10_500_000, 1, [0xf8]),
      .midi(time: 11 * ms, 1, [0xf0, 0x7e, 0, 0xf7]),
      .frame([
        value(20 * ms, 0, "touch0.x", 0.31, .none), value(20 * ms, 0, "touch0.y", 0.77, .none),
        value(20 * ms, 0, "touch0.down", 1, .none), end(20 * ms, 0),
      ]),
      .frame([
        value(21 * ms, 0, "touch0.x", 0.32, .none), value(21 * ms, 0, "touch0.y", 0.77, .none),
        end(21 * ms, 0),
      ]),
      .frame([value(22 * ms, 0, "touch0.down", 0, .none), end(22 * ms, 0)]),
      .widget(time: 30 * ms, name: "cutoff", value: 440),
      .widget(time: 30 * ms, name: "my knob", value: -1),
      .frame([ControlEvent(.lost, time: 40 * ms, device: 0), end(40 * ms, 0)]),
      .frame([value(50 * ms, 0, "ABS_THROTTLE", 128, .none), end(50 * ms, 0)]),
      .frame([value(51 * ms, 0, "motion.ABS_RZ", -7, .none), end(51 * ms, 0)]),
      .frame([ControlEvent(.unplugged, time: 1500 * ms, device: 0), end(1500 * ms, 0)]),
      .frame([
        ControlEvent(.plugged, time: 2000 * ms, device: 0), value(2000 * ms, 0, "east", 1, .none),
        end(2000 * ms, 0),
      ]),
    ]
    // What the lines of `late` use is known ahead only if they came in the first piece.
    let learned = pieceSize == .max ? ["gravity", "gyro"] : []
    let late = DeviceDescription(kind: .imu, name: "gyro_3d", controls: learned)
    expected.append(.device(2, name: "late", late))
    if pieceSize != .max {
      expected.append(
        .controls(2, DeviceDescription(kind: .imu, name: "gyro_3d", controls: ["gyro"])))
    }
    let t = 2500 * ms
    let first: TakeReader.Item = .frame([
      ControlEvent(.plugged, time: t, device: 2), value(t, 2, "gyro.x", 1, .none),
      value(t, 2, "gyro.y", 2, .none), value(t, 2, "gyro.z", 3, .none), end(t, 2),
    ])
    expected.append(first)
    if pieceSize != .max {
      expected.append(
        .controls(
          2, DeviceDescription(kind: .imu, name: "gyro_3d", controls: ["gravity", "gyro"])))
    }
    expected.append(
      .frame([
        value(t + 7, 2, "gravity.x", 0, .none), value(t + 7, 2, "gravity.y", 0, .none),
        value(t + 7, 2, "gravity.z", -1, .none), end(t + 7, 2),
      ]))
    try #require(items.count == expected.count)
    for (found, wanted) in zip(items, expected) { #expect(found == wanted) }
  }

  @Test func theEndOfTheTakeIsKnownAndTimesStartAtTheOrigin() throws {
    let reader = TakeReader(
      MemorySource("sonde-take 1\ndevice a imu\n1.25 a gyro 1 2 3\n3.5 raw iio0 00\n"),
      name: "t", origin: 1000, firstDevice: 7)
    var last: TakeReader.Item?
    while let item = try reader.next() { last = item }
    #expect(reader.endTime == 3_500_000_000 + 1000)
    guard case .frame(let events)? = last else {
      Issue.record("the take ends with a frame")
      return
    }
    #expect(events[0].time == 1_250_001_000 && events[0].device == 7)
  }

  @Test func linesOfOneDeviceAndTimeAreOneFrameWhateverStandsBetween() throws {
    let items = try Self.items(
      """
      sonde-take 1
      device a gamepad controls=left
      device b gamepad controls=left
      1 a left.x 0.5
      1 b left.x 1
      1 a left.y 0.25
      1 a lost
      """)
    let t: Nanoseconds = 1_000_000_000
    #expect(
      Array(items.suffix(2)) == [
        .frame([
          ControlEvent(.lost, time: t, device: 0), Self.value(t, 0, "left.x", 0.5),
          Self.value(t, 0, "left.y", 0.25), Self.end(t, 0),
        ]),
        .frame([Self.value(t, 1, "left.x", 1), Self.end(t, 1)]),
      ])
  }

  @Test func aReplugAtOneMomentIsThreeFrames() throws {
    let items = try Self.items(
      """
      sonde-take 1
      device a gamepad controls=left
      1 a south 1
      1 a unplugged
      1 a plugged
      1 a plugged
      1 a east 1
      """)
    let t: Nanoseconds = 1_000_000_000
    #expect(
      Array(items.suffix(3)) == [
        .frame([Self.value(t, 0, "south", 1), Self.end(t, 0)]),
        .frame([ControlEvent(.unplugged, time: t, device: 0), Self.end(t, 0)]),
        .frame([
          ControlEvent(.plugged, time: t, device: 0), Self.value(t, 0, "east", 1), Self.end(t, 0),
        ]),
      ])
  }

  @Test func windowsLineEndsTabsAndAByteOrderMarkAreRead() throws {
    let plain = "sonde-take 1\ndevice a gamepad controls=left\n1 a left.x 0.5\n"
    let other =
      "\u{FEFF}sonde-take\t1\r\n# c\r\n\r\ndevice a  gamepad controls=left # c\r\n 1\ta left.x 0.5\r\n"
    #expect(try Self.items(other) == Self.items(plain))
  }

  @Test func aCutLastLineIsANote() throws {
    for cut in ["2 a midi 90 3", "2 a gyro 1 2", "2 a", "2", "2 a left.", "dev", "2 b", "1.5 a l"] {
      let items = try Self.items("sonde-take 1\ndevice a imu controls=gyro\n3 a gyro 1 2 3\n" + cut)
      guard
        case .note(let note)? = items.first(where: { if case .note = $0 { true } else { false } })
      else {
        Issue.record("no note for '\(cut)'")
        continue
      }
      #expect(note.description.hasPrefix("t.take:4: the last line is cut off"))
      guard case .frame(let events)? = items.last else {
        Issue.record("the frame before '\(cut)' is missing")
        continue
      }
      #expect(events.count == 4)
    }
    #expect(Self.message("sonde-ta")?.contains("no take") == true)
  }

  @Test func namesThatAreNoTextStayDifferent() throws {
    var bytes = Array("sonde-take 1\ndevice a midi name=\"K".utf8)
    bytes += [0xFF, 0xC3, 0xA9]
    bytes += Array("\\\\ \\xc3\\xa9 \\xfe \\n\" uniq=\n".utf8)
    let reader = TakeReader(MemorySource(bytes), name: "t")
    guard case .device(_, _, let description)? = try reader.next() else {
      Issue.record("the device is missing")
      return
    }
    #expect(description.name == "K\\xffé\\ é \\xfe \\n")
    #expect(description.uniq == "")
  }

  /// Lines that are wrong, and what the message must say.
  static let mistakes: [(String, String)] = [
    ("0.5 a left.x 1\n0.4 a left.x 0", ":4: time goes back from 0.500000 to 0.400000"),
    ("nan a left.x 1", ":3: the time 'nan'"),
    ("inf a left.x 1", ":3: the time 'inf'"),
    ("-1 a left.x 1", ":3: the time '-1'"),
    ("1e3 a left.x 1", ":3: the time '1e3'"),
    ("99999999999999999999 a left.x 1", ":3: the time"),
    ("1", "a time stands alone"),
    ("0 a left.x nan", "the value of left.x is 'nan'"),
    ("0 a left.x inf", "the value of left.x is 'inf'"),
    ("0 a left.x 1e999", "the value of left.x is '1e999'"),
    ("0 a left.x 0x10", "the value of left.x is '0x10'"),
    ("0 a left.x 1.2.3", "'1.2.3'"),
    ("0 a left.x .", "'.'"),
    ("0 a left.x -", "'-'"),
    ("0 a left.x 1e", "'1e'"),
    ("0 a left.x", "the value of left.x is missing"),
    ("0 a left.x 1 2", "'2' is too much"),
    ("0 a motion 1 2 3 4 5", "number 6 of 6 of motion is missing"),
    ("0 a motion 1 2 3 4 5 @3", "number 6 of 6 of motion is missing"),
    ("0 a gyro 1 2 3 @x", "the sensor's time '@x'"),
    ("0 a wobble 1", "'wobble' is no control"),
    ("0 a", "what 'a' did is missing"),
    ("0 b left.x 1", "'b' is no statement and no declared device"),
    ("a left.x 1", "starts with its time"),
    ("0 a touch 10 0 0", "the finger's number is '10'; it must be 0 to 9"),
    ("0 a touch 0 upward", "'upward' is no touch"),
    ("0 a touch 0 1", "y of finger 0 is missing"),
    ("0 a midi", "without bytes"),
    ("0 a midi 3c 64", "starts with a status byte"),
    ("0 a midi 90 3c", "has 1 data bytes and needs 2"),
    ("0 a midi 90 3c 64 00", "has 3 data bytes and needs 2"),
    ("0 a midi 90 3c f8", "a status byte stands inside"),
    ("0 a midi f0 01", "ends with f7"),
    ("0 a midi 9", "'9' is no byte"),
    ("0 a midi 0x90 3c 64", "'0x90' is no byte"),
    ("0 widget", "a widget without a name"),
    ("0 widget w", "the value of widget 'w' is missing"),
    ("widget w 1", "starts with its time"),
    ("device", "a device without a name"),
    ("device a imu", "device 'a' is declared in line 2 already"),
    ("device 9a imu", "'9a' cannot name a device"),
    ("device widget imu", "'widget' cannot name a device"),
    ("device b joystick", "the kinds are gamepad, imu, midi, evdev"),
    ("device b imu name=\"x", "a quote is never closed"),
    ("device b imu name=\"x\"y", "set them apart by a blank"),
    ("device b imu blue", "'blue' is no attribute"),
    ("device b imu vendor=banana", "vendor=banana is no id"),
    ("device b imu vendor=10000", "vendor=10000 is no id"),
    ("axis a left.x 0 1", "'left.x' is no axis"),
    ("axis a ABS_X 1 0", "ends below its start"),
    ("axis b ABS_X 0 1", "no declared device"),
    ("calibration a gyro.bias", "has no values"),
    ("calibration a", "what is calibrated is missing"),
    ("0 a unplugged\n1 a left.x 1", ":4: 'a' is unplugged here"),
    ("sonde-take 1", "the take starts twice"),
    ("hello", "starts with its time"),
  ]

  @Test(arguments: mistakes) func mistakesAreToldWithTheirLine(lines: String, expected: String) {
    let text = "sonde-take 1\ndevice a gamepad controls=left\n" + lines + "\n"
    let message = Self.message(text)
    #expect(message?.contains(expected) == true, "\(message ?? "no error")")
    #expect(message?.hasPrefix("t.take:") == true)
  }

  @Test func whatIsNoTakeIsSaidToBeNone() {
    #expect(Self.message("")?.contains("it is empty") == true)
    #expect(Self.message("# only a comment\n")?.contains("it is empty") == true)
    #expect(Self.message("<CsoundSynthesizer>\n")?.contains("no take") == true)
    #expect(Self.message("sonde-take 2\n")?.contains("version 2") == true)
    #expect(Self.message("sonde-take\n")?.contains("no take") == true)
    let long = "sonde-take 1\n" + String(repeating: "x", count: 3 << 20)
    #expect(Self.message(long)?.contains("longer than 1 MiB") == true)
    // After an error nothing more is read.
    let reader = TakeReader(MemorySource("nothing\nsonde-take 1\n"), name: "t")
    for _ in 0..<2 { #expect(throws: TakeError.self) { try reader.next() } }
  }

  @Test func theLongestSysExIsRead() throws {
    let body = String(repeating: " 7f", count: 65534)
    let take = "sonde-take 1\ndevice k midi\n0 k midi f0" + body
    guard case .midi(_, _, let bytes)? = try Self.items(take + " f7\n").last else {
      Issue.record("the message is missing")
      return
    }
    #expect(bytes.count == 65536)
    #expect(Self.message(take + " 7f f7\n")?.contains("longer than 64 KiB") == true)
  }

  @Test func numbersAreTheNearestDouble() throws {
    // Cases that naive digit-by-digit reading rounds wrongly.
    for text in [
      "0.1", "0.3", "123456789012345678", "9007199254740993", "1.7976931348623157e308", "5e-324",
      "2.2250738585072011e-308", "0.000000000000000000000000000001", "-0.0", "+1", "1.", ".5",
      "8.41747881256322e-05", "100000000000000000000000", "0.30000000000000004",
    ] {
      let items = try Self.items("sonde-take 1\ndevice a gamepad\n1 a left.x \(text)\n")
      guard case .frame(let events)? = items.last else {
        Issue.record("no frame for \(text)")
        continue
      }
      let wanted = try #require(Double(text) ?? Double(text + "0") ?? Double("0" + text))
      #expect(events[0].value.bitPattern == wanted.bitPattern, "\(text)")
    }
  }
}
