import Events
import Mapping

extension Section {
  static let routes = Section(
    name: "routes", summary: "what an event costs with few and with many lines",
    measure: measureRoutes)
}

/// What one event costs with few and with many lines in the mapping.
private func measureRoutes(_ extent: Extent, _ report: Report) throws {
  report.begin(
    "Lines", per: "per event",
    "One value and its frame's end through a mapping of plain lines, commands taken.")
  for count in [10, 10_000] {
    let lines = count == 10 ? "10 lines" : "10 000 lines"
    let listening = RouteLoad.oneListening(of: count)
    report.add(
      "\(lines), one listening",
      Measurement(runs: extent.runs) { listening.play(events: extent.count(1_000_000)) })

    let all = RouteLoad.allOnOneControl(count)
    let measurement = Measurement(runs: extent.runs) {
      all.play(events: extent.count(count == 10 ? 200_000 : 2_000))
    }
    let each = measurement.processor.median / Double(count)
    report.add(
      "\(lines) on one control", measurement,
      [("ns_per_line", each, "\(Report.time(each)) a line")])

    let moving = RouteLoad.allMoving(count)
    report.add(
      "\(lines) on \(count == 10 ? "10" : "10 000") controls, all moving in turn",
      Measurement(runs: extent.runs) { moving.play(events: extent.count(1_000_000)) })
  }
}

/// A mapping of many lines, and the controls that move in it, one an event.
private final class RouteLoad {
  private struct Place: BitwiseCopyable {
    var device: DeviceIndex
    var control: ControlID
  }

  private let ring: SPSCRing<EngineCommand>
  private let runtime: Runtime
  private let places: [Place]
  private var time: Nanoseconds = 0
  private var position = 0
  private var round = 0

  private init(_ routes: [RouteDescription], devices: Int, moving places: [Place]) {
    self.places = places
    let program = Program(
      MappingDescription(
        devices: (0..<devices).map {
          DeviceDeclaration(name: "pad\($0)", role: .declared(.gamepad))
        }, routes: routes))
    ring = SPSCRing(capacity: routes.count + 64)
    runtime = Runtime(program, output: ring, deviceCapacity: devices)
    for device in 0..<devices {
      runtime.process(ControlEvent(.plugged, time: 0, device: DeviceIndex(device)))
      runtime.bind(DeviceIndex(device), to: device, time: 0)
    }
  }

  private static func route(_ index: Int, _ place: Place) -> RouteDescription {
    RouteDescription(
      identity: "line \(index)", device: Int(place.device), control: place.control,
      range: .bipolar, targets: [.channel("channel\(index)")])
  }

  /// `count` lines on as many controls of one device, of which one moves.
  static func oneListening(of count: Int) -> RouteLoad {
    let places =
      [Place(device: 0, control: .leftX)]
      + (1..<count).map {
        Place(device: 0, control: .raw(.pad, type: 1, code: UInt16($0)))
      }
    return RouteLoad(
      places.enumerated().map { route($0, $1) }, devices: 1, moving: [places[0]])
  }

  /// `count` lines that all listen to the control that moves.
  static func allOnOneControl(_ count: Int) -> RouteLoad {
    let place = Place(device: 0, control: .leftX)
    return RouteLoad((0..<count).map { route($0, place) }, devices: 1, moving: [place])
  }

  /// `count` lines, each on a control of its own, 100 controls a device; every control moves in turn.
  static func allMoving(_ count: Int) -> RouteLoad {
    let language = (Control.gamepad + Control.touch).map(\.id)
    let controls =
      language + (0..<100 - language.count).map { ControlID.raw(.pad, type: 3, code: UInt16($0)) }
    let places = (0..<count).map {
      Place(device: DeviceIndex($0 / 100), control: controls[$0 % 100])
    }
    // In an order that no cache foresees.
    let moving = count < 100 ? places : (0..<count).map { places[$0 * 7919 % count] }
    return RouteLoad(
      places.enumerated().map { route($0, $1) }, devices: (count + 99) / 100, moving: moving)
  }

  func play(events: Int) -> Int {
    var sum = 0.0
    for _ in 0..<events {
      let place = places[position]
      time &+= 1000
      // A new value each time, never 0, whatever the number of controls.
      let value = Double(round & 1023 | 1) / 1024 + Double(round & 1)
      runtime.process(
        ControlEvent(
          .value, time: time, device: place.device, control: place.control, value: value))
      runtime.process(ControlEvent(.frameEnd, time: time, device: place.device))
      while let command = ring.pop() { sum += command.value }
      position += 1
      if position == places.count {
        position = 0
        round &+= 1
      }
    }
    use(sum)
    return events
  }
}
