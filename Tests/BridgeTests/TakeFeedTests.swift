import Events
import Mapping
import Testing

@testable import Bridge

/// If these fail, a take's devices play other lines than the live ones did, or at another time.
@Suite struct TakeFeedTests {
  static let mapping = """
    device lead gamepad
    widget slider cutoff
    widget slider swell
    lead.left.x -> a
    motion.accelerometer.x -> b
    cutoff -> c
    """

  private func feed(_ text: String) throws -> TakeFeed {
    let program = try program(
      "device lead gamepad\nwidget slider cutoff\nwidget slider swell\nlead.left.x -> a\nmotion.accelerometer.x -> b"
    )
    return TakeFeed(
      take(text), roster: DeviceRoster(program.description.devices), program: program)
  }

  private func all(_ feed: TakeFeed) throws -> [InputRequest] {
    var requests: [InputRequest] = []
    while let next = try feed.next() { requests += next }
    return requests
  }

  @Test func devicesDeclaredTogetherComeTogether() throws {
    // Were they taken one after the other, `motion` would be the sensor, which came first.
    let requests = try all(
      feed(
        """
        device body imu name="Sensor" controls="accelerometer"
        device pad gamepad name="Pad" controls="left accelerometer"
        0.5 pad left.x 0.25

        """))
    let lines = requests.map(\.description)
    #expect(Set(lines[0...1]) == ["bind 1 as 0", "bind 1 as 1"])
    #expect(!lines.contains { $0.hasPrefix("bind 0") })
    #expect(lines.contains("0 plugged") && lines.contains("1 plugged"))
    #expect(lines.suffix(2) == ["1 left.x 0.25", "1 frameEnd"])
  }

  @Test func whatOneHasAnotherTakesOverAtThatTime() throws {
    let requests = try all(
      feed(
        """
        device one gamepad name="One" uniq=1 controls="left accelerometer"
        device two gamepad name="Two" uniq=2 controls="left accelerometer"
        0.5 one left.x 0.25
        1 one unplugged
        3 two left.x 0.5
        4 one plugged
        5 two unplugged
        9 one left.x 1

        """))
    func time(_ line: String) -> [Nanoseconds] {
      requests.filter { $0.description == line }.map { $0.time / 1_000_000 }
    }
    // Each at the time of its cause, not at that of the line that is read next.
    #expect(time("unbind 0 as 0") == [1000] && time("unbind 0 as 1") == [1000])
    #expect(time("bind 1 as 1") == [1000])
    #expect(time("bind 0 as 1") == [0, 5000])
    #expect(time("unbind 1 as 1") == [5000])
    #expect(requests.map(\.time) == requests.map(\.time).sorted())
  }

  @Test func aLateDeviceComesAtItsPlace() throws {
    let lines = try all(
      feed(
        """
        device body imu name="Sensor" controls="accelerometer"
        1 body accelerometer 0 0 -1
        device pad gamepad name="Pad" controls="left"
        2 pad left.x 0.25

        """)
    ).map(\.description)
    let plugged = try #require(lines.firstIndex(of: "1 plugged"))
    #expect(plugged > (try #require(lines.firstIndex(of: "0 accelerometer.z -1"))))
    #expect(try #require(lines.firstIndex(of: "bind 1 as 0")) < plugged)
    // `motion` stays with the sensor.
    #expect(!lines.contains("bind 1 as 1"))
  }

  @Test func handsOnWidgetsAreByNumber() throws {
    let lines = try all(
      feed("0.5 widget swell 0.75\n0.6 widget unknown 1\n0.7 widget cutoff 1\n")
    ).map(\.description)
    #expect(lines == ["widget 1 0.75", "widget 0 1"])
  }

  @Test func whatIsLeftOutIsToldOnce() throws {
    let feed = try feed(
      """
      device keys midi name="Keys"
      device pad gamepad name="Pad"
      calibration pad gyro.bias 0 0 0
      calibration pad gyro.bias 1 0 0
      0.1 keys midi 90 3c 64
      0.2 keys midi 80 3c 00
      0.3 pad left.x
      """)
    _ = try all(feed)
    #expect(feed.notes.count == 3)
    #expect(feed.notes[0].contains("calibration") && feed.notes[1].contains("MIDI"))
    #expect(feed.notes[2].hasPrefix("test.take:8: "))
  }
}
