import EvdevInput
import Events
import Testing

/// Who loses one of these has held notes after an overrun, chords torn apart, or a raw code that says nothing.
@Suite struct NodeDecoderTests {
  private func run(
    _ node: EvdevNode, _ axes: [UInt16: AxisInfo], raw: RawSelection = RawSelection(),
    _ body: (inout NodeDecoder, EventBuffer) -> Void
  ) -> [Seen] {
    let made = NodeDecoder(node: node, axes: axes, device: 1, number: 2, raw: raw)
    guard var decoder = made else {
      Issue.record("no decoder")
      return []
    }
    let buffer = EventBuffer(capacity: 512)
    body(&decoder, buffer)
    return buffer.take()
  }

  private func pad(_ events: EvdevEvent..., raw: RawSelection = RawSelection()) -> [Seen] {
    run(TestNodes.dualSense, TestNodes.dualSenseAxes, raw: raw) { decoder, buffer in
      for event in events { decoder.decode(event, into: buffer) }
    }
  }

  @Test func aFrameEndsOnceAndAnEmptyOneNotAtAll() {
    #expect(
      pad(key(0x130, 1), key(0x131, 1), report(), report(), axis(0, 128), report())
        == [Seen("south", 1), Seen("east", 1), Seen("end")])
  }

  @Test func afterLostEventsTheTrueStateFollows() {
    let seen = run(TestNodes.dualSense, TestNodes.dualSenseAxes) { decoder, buffer in
      for event in [key(0x130, 1), axis(0, 255), report()] { decoder.decode(event, into: buffer) }
      // What libevdev's synchronisation gives: the button was released, the stick is elsewhere.
      decoder.lost(2, into: buffer)
      for event in [key(0x130, 0), axis(0, 0), report()] { decoder.decode(event, into: buffer) }
      decoder.lost(3, into: buffer)
      decoder.decode(report(), into: buffer)
    }
    #expect(
      seen == [
        Seen("south", 1), Seen("left.x", 1), Seen("end"), Seen("lost", 1), Seen("south", 0),
        Seen("left.x", -1), Seen("end"), Seen("lost", 2), Seen("end"),
      ])
  }

  @Test func motionFramesEndAfterBothVectors() {
    let seen = run(TestNodes.dualSenseMotion, TestNodes.dualSenseMotionAxes) { decoder, buffer in
      for event in [axis(1, 8192), stamp(10), report()] { decoder.decode(event, into: buffer) }
    }
    #expect(seen.count == 7)
    #expect(seen.last == Seen("end"))
  }

  @Test func onlyWhatIsNotAtRestIsToldAtTheStart() {
    var axes = TestNodes.dualSenseAxes
    axes[0]!.value = 0
    axes[5]!.value = 255
    axes[16]!.value = 1
    // Not centred by the hand that left it, but within what the driver calls flat.
    axes[3] = AxisInfo(value: 131, minimum: 0, maximum: 255, flat: 15)
    let seen = run(TestNodes.dualSense, axes) { decoder, buffer in
      decoder.start(axes: axes, pressed: [0x130], time: 5, into: buffer)
      decoder.decode(report(), into: buffer)
    }
    #expect(
      seen == [
        Seen("left.x", -1), Seen("right.trigger", 1), Seen("dpad.x", 1), Seen("dpad.right", 1),
        Seen("south", 1), Seen("end"),
      ])
    let silent = run(TestNodes.dualSense, TestNodes.dualSenseAxes) { decoder, buffer in
      decoder.start(axes: TestNodes.dualSenseAxes, pressed: [], time: 5, into: buffer)
      decoder.decode(report(), into: buffer)
    }
    #expect(silent == [])
  }

  @Test func aSensorsFirstSampleHasTheAxesThatDoNotMove() {
    // The kernel sends no axis that stays as it was before the node was opened.
    var axes = TestNodes.dualSenseMotionAxes
    axes[1]!.value = 8192
    let seen = run(TestNodes.dualSenseMotion, axes) { decoder, buffer in
      decoder.start(axes: axes, pressed: [], time: 5, into: buffer)
      decoder.decode(report(), into: buffer)
      #expect(buffer.count == 0)
      for event in [stamp(4000), report()] { decoder.decode(event, into: buffer) }
    }
    #expect(seen.count == 7)
    #expect(seen.prefix(3).map(\.value) == [0, 0, -1])
    // Without a clock there is no tick to wait for.
    let wiimote = TestNodes.wiimoteAccelerometer
    let rest = [UInt16(5): AxisInfo(value: 100, minimum: -500, maximum: 500)]
    let told = run(wiimote, rest) { decoder, buffer in
      decoder.start(axes: rest, pressed: [], time: 5, into: buffer)
      decoder.decode(report(), into: buffer)
    }
    #expect(told.map(\.value) == [0, 0, -1, 0])
  }

  @Test func rawCodesAreToldOnlyWhereSomebodyListens() {
    let raw = RawSelection([.raw(.pad, type: 3, code: 5), .raw(.pad, type: 1, code: 0x2ff)])
    #expect(
      pad(axis(5, 51), axis(2, 51), key(0x2ff, 1), report(), raw: raw)
        == [
          Seen("ABS_RZ", 51), Seen("right.trigger", 0.2), Seen("left.trigger", 0.2),
          Seen("KEY_0x2ff", 1), Seen("end"),
        ])
    raw.select([ControlID]())
    #expect(pad(key(0x2ff, 1), report(), raw: raw) == [])
  }

  @Test func aRecordingHoldsEveryEventAsItCame() {
    let raw = RawSelection()
    raw.isRecording = true
    let made = NodeDecoder(
      node: TestNodes.dualSense, axes: TestNodes.dualSenseAxes, device: 1, number: 2, raw: raw)
    guard var decoder = made else {
      Issue.record("no decoder")
      return
    }
    let buffer = EventBuffer(capacity: 64)
    decoder.decode(axis(3, -160, at: 9), into: buffer)
    decoder.decode(report(at: 9), into: buffer)
    let events = Array(buffer.events)
    #expect(events.map(\.kind) == [.raw, .value, .raw, .frameEnd])
    #expect(events[0].control == .raw(.pad, type: 3, code: 3))
    #expect(events[0].value == -160)
    #expect(events[0].node == 2)
    #expect(events[2].control == .raw(.pad, type: 0, code: 0))
  }

  @Test func selectingAndRecordingEndEachByItself() {
    let code = ControlID.raw(.pad, type: 1, code: 0x2ff)
    let raw = RawSelection([code])
    raw.isRecording = true
    raw.select([ControlID]())
    #expect(pad(key(0x2ff, 1), raw: raw) == [Seen("raw", 1)], "the recording goes on")
    raw.select([code])
    raw.isRecording = false
    #expect(pad(key(0x2ff, 1), raw: raw) == [Seen("KEY_0x2ff", 1)], "the selection goes on")
    raw.select([ControlID]())
    #expect(pad(key(0x2ff, 1), report(), raw: raw) == [])
  }

  @Test func whatIsNotForSondeHasNoDecoder() {
    let made = NodeDecoder(node: TestNodes.keyboard, axes: [:], device: 0, number: 0)
    if case .some = consume made { Issue.record("a decoder for a keyboard") }
  }

  @Test func noEventAddsMoreThanItsRoom() {
    // Ten fingers that all move and change in one frame, with a recording: the most that one event can add.
    let raw = RawSelection()
    raw.isRecording = true
    var axes = TestNodes.dualSenseTouchpadAxes
    axes[0x2f] = AxisInfo(minimum: 0, maximum: 9)
    let made = NodeDecoder(
      node: TestNodes.dualSenseTouchpad, axes: axes, device: 1, number: 2, raw: raw)
    guard var decoder = made else {
      Issue.record("no decoder")
      return
    }
    let buffer = EventBuffer(capacity: 256)
    for slot in Int32(0)..<10 {
      for event in [
        axis(0x2f, slot), axis(0x39, slot), axis(0x35, 900 + slot), axis(0x36, 500 + slot),
      ] { decoder.decode(event, into: buffer) }
    }
    let before = buffer.count
    decoder.decode(report(), into: buffer)
    #expect(buffer.count - before == 32)
  }

  @Test func aMotionFrameHasOneTimeWithItsRawCodesAndItsLoss() {
    let made = NodeDecoder(
      node: TestNodes.dualSenseMotion, axes: TestNodes.dualSenseMotionAxes, device: 1, number: 2,
      raw: RawSelection([.raw(.motion, type: 3, code: 1)]))
    guard var decoder = made else {
      Issue.record("no decoder")
      return
    }
    let buffer = EventBuffer(capacity: 512)
    // Three samples at once, every 12 ms: most of them have a time that is not their arrival.
    for number in 0..<600 {
      let arrival = Nanoseconds(number / 3 * 3 + 2) * 4_000_000
      buffer.removeAll()
      if number == 500 { decoder.lost(arrival, into: buffer) }
      for event in [
        axis(1, Int32(number), at: arrival), stamp(UInt32(number) * 4000, at: arrival),
        report(at: arrival),
      ] { decoder.decode(event, into: buffer) }
      let events = buffer.events
      #expect(events.count == (number == 500 ? 9 : 8))
      #expect(events.allSatisfy { $0.time == events[0].time })
      if number > 300 { #expect(events[0].time == Nanoseconds(number) * 4_000_000 + 8_000_000) }
    }
    #expect(decoder.counters.statistics.reports == 600)
    #expect(decoder.counters.statistics.overruns == 1)
    #expect(decoder.counters.statistics.clock?.delay == 8_000_000)
  }

  @Test func theKernelsEventsInARecordingKeepItsTime() {
    let raw = RawSelection()
    raw.isRecording = true
    let made = NodeDecoder(
      node: TestNodes.dualSenseMotion, axes: TestNodes.dualSenseMotionAxes, device: 1, number: 2,
      raw: raw)
    guard var decoder = made else {
      Issue.record("no decoder")
      return
    }
    let buffer = EventBuffer(capacity: 512)
    for number in 0..<600 {
      let arrival = Nanoseconds(number / 3 * 3 + 2) * 4_000_000
      buffer.removeAll()
      for event in [
        axis(1, Int32(number), at: arrival), stamp(UInt32(number) * 4000, at: arrival),
        report(at: arrival),
      ] { decoder.decode(event, into: buffer) }
      for event in buffer.events where event.kind == .raw { #expect(event.time == arrival) }
    }
  }
}
