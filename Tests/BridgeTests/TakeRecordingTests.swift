import Events
import LinuxIO
import Testing

@testable import Bridge

/// If these fail, a recording on disk is not what was played, or is lost with the disk's last bytes.
@Suite struct TakeRecordingTests {
  private let pad = DeviceDescription(
    kind: .gamepad, name: "Pad", uniq: "02:02", controls: ["left", "south"])

  private func items(_ path: String) throws -> [TakeReader.Item] {
    let reader = TakeReader(try FileReader(path), name: "test.take")
    var items: [TakeReader.Item] = []
    while let item = try reader.next() { items.append(item) }
    return items
  }

  private func record(_ recording: TakeRecording, _ events: [ControlEvent]) {
    for event in events { recording.take(event) }
  }

  @Test func whatIsRecordedIsRead() throws {
    let folder = try TemporaryFolder("sonde-test")
    let recording = try TakeRecording(
      folder.file("a.take"), program: program("widget slider cutoff\ngamepad.left.x -> cutoff"))
    // A whole microsecond, as the kernel counts.
    let time = (monotonicNow() / 1000 + 1000) * 1000
    recording.declare([0: pad])
    record(
      recording,
      [
        ControlEvent(.plugged, time: time, device: 0),
        ControlEvent(.value, time: time, device: 0, control: .leftX, value: 0.25),
        ControlEvent(.frameEnd, time: time, device: 0),
        ControlEvent(
          .widget, time: time + 1_000_000, device: 0, control: ControlID(rawValue: 0), value: 440),
        ControlEvent(.value, time: time + 2_000_000, device: 0, control: .leftX, value: -0.5),
        ControlEvent(.frameEnd, time: time + 2_000_000, device: 0),
        ControlEvent(.unplugged, time: time + 3_000_000, device: 0),
      ])
    var notes = 0
    recording.finish(at: time + 3_000_000) { _ in notes += 1 }
    #expect(notes == 0)

    var seen: [String] = []
    var start: Nanoseconds?
    for item in try items(folder.file("a.take")) {
      switch item {
      case .device(_, let name, let description): seen.append("\(name) \(description == pad)")
      case .frame(let events):
        if start == nil { start = events[0].time }
        for event in events where event.kind != .frameEnd {
          seen.append("\((event.time - start!) / 1000) \(event.kind) \(event.value.shortestText)")
        }
      case .widget(let time, let name, let value):
        seen.append("\((time - start!) / 1000) \(name) \(value.shortestText)")
      default: seen.append("\(item)")
      }
    }
    #expect(
      seen == [
        "pad true", "0 plugged 0", "0 value 0.25", "1000 cutoff 440", "2000 value -0.5",
        "3000 unplugged 0",
      ])
  }

  /// The nodes of one pad are opened one after the other; the take's pad has the controls of all.
  @Test func buttonsThatWereNotPressedAreNotWrittenAsReleased() throws {
    let folder = try TemporaryFolder("sonde-test")
    let recording = try TakeRecording(folder.file("a.take"))
    let time = monotonicNow()
    recording.declare([0: pad])
    func south(_ value: Double, _ time: Nanoseconds) -> [ControlEvent] {
      [
        ControlEvent(.value, time: time, device: 0, control: .south, value: value),
        ControlEvent(.frameEnd, time: time, device: 0),
      ]
    }
    record(
      recording,
      [ControlEvent(.plugged, time: time, device: 0)] + south(0, time) + south(1, time + 1000)
        + south(0, time + 2000) + south(0, time + 3000))
    recording.finish(at: time) { _ in }
    var values: [Double] = []
    for case .frame(let events) in try items(folder.file("a.take")) {
      values += events.filter { $0.kind == .value }.map(\.value)
    }
    #expect(values == [1, 0])
  }

  @Test func controlsThatCameLaterAreDeclared() throws {
    let folder = try TemporaryFolder("sonde-test")
    let recording = try TakeRecording(folder.file("a.take"))
    let time = monotonicNow()
    recording.declare([0: pad])
    record(
      recording,
      [
        ControlEvent(.plugged, time: time, device: 0),
        ControlEvent(.frameEnd, time: time, device: 0),
      ])
    var whole = pad
    whole.controls += ["accelerometer", "gyro"]
    recording.declare([0: whole])
    recording.finish(at: time) { _ in }
    guard case .device(_, _, let description)? = try items(folder.file("a.take")).first else {
      Issue.record("No device")
      return
    }
    #expect(description == whole)
  }

  /// After a write failed the file is whole up to there; more would tear a hole into it.
  @Test func aFullDiskEndsTheRecordingOnce() throws {
    let recording = try TakeRecording("/dev/full")
    let time = monotonicNow()
    recording.declare([0: pad])
    var notes: [String] = []
    func report(_ report: SessionReport) {
      if case .notice(let text) = report { notes.append(text) }
    }
    for step in 0..<5 {
      let now = time + Nanoseconds(step) * .perSecond
      record(
        recording,
        [
          ControlEvent(.value, time: now, device: 0, control: .leftX, value: Double(step) / 8),
          ControlEvent(.frameEnd, time: now, device: 0),
        ])
      recording.flush(at: now, report: report)
    }
    recording.finish(at: time + 6 * .perSecond, report: report)
    #expect(notes.count == 1)
    #expect(notes.first?.contains("/dev/full") == true)
    #expect(recording.failure != nil)
  }

  @Test func aPlaceThatIsNotThereIsNamed() {
    #expect(throws: SessionError.self) { try TakeRecording("/nonexistent/a.take") }
  }
}
