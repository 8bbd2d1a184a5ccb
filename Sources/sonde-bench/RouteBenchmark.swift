import Events
import Mapping
import Widgets

extension Section {
  static let routes = Section(
    name: "routes", summary: "what an event costs as lines, devices and widgets grow in number",
    measure: measureRoutes)
}

/// What one event costs with few and with many of everything in the mapping.
private func measureRoutes(_ extent: Extent, _ report: Report) throws {
  let events = extent.count(1_000_000)
  func add(_ name: String, _ load: RouteLoad, linesEach: Int = 1, _ events: Int) {
    let measurement = Measurement(runs: extent.runs) { load.play(events: events) }
    let each = measurement.processor.median / Double(linesEach)
    report.add(
      name, measurement,
      linesEach == 1 ? [] : [("ns_per_line", each, "\(Report.time(each)) a line")])
  }

  report.begin(
    "Lines", per: "per event",
    "One value and its frame's end through a mapping of plain lines, commands taken.")
  let counts = [10, 100, 1000, 10_000, 100_000]
  for count in counts {
    add("1 of \(Report.whole(count)) lines listens", .pad(lines: count, controls: 1), events)
  }
  for count in counts.dropFirst() {
    add(
      "31 of \(Report.whole(count)) lines, controls in turn",
      .pad(lines: count, controls: 31), events)
  }
  for count in counts {
    add(
      "\(Report.whole(count)) lines on one control", .oneControl(lines: count), linesEach: count,
      max(3, events / count / 2))
  }
  // What these cost the memory of the machine, whatever is done with it: beside it the rest is to be judged.
  for count in counts {
    let memory = MemoryLoad(lines: count)
    let bare = Measurement(runs: extent.runs) { memory.read(events: events) }
    let load = RouteLoad.everything(lines: count)
    let measurement = Measurement(runs: extent.runs) { load.play(events: events) }
    let rest = measurement.processor.median - bare.processor.median
    report.add(
      "\(Report.whole(count)) lines on as many controls in turn", measurement,
      [("ns_beside_memory", rest, "\(Report.time(rest)) beside the memory's")])
    report.add("  the two cache lines of each, read alone", bare)
  }

  report.begin(
    "Devices", per: "per event",
    "100 lines for each device; all of their 100 controls in turn, device by device, commands taken."
  )
  for count in [1, 2, 4, 8, 16, 32] {
    add(count == 1 ? "1 device" : "\(count) devices", .devices(count), events)
  }

  report.begin(
    "Widgets", per: "per event",
    "31 controls of a pad in turn, each on a widget, among widgets that nobody moves; commands taken."
  )
  for count in [31, 100, 1000, 10_000] {
    add("\(Report.whole(count)) widgets", .widgets(count), events)
  }
}

/// The memory that events of many controls in turn cannot but touch, and nothing else: of each control the line of the
/// cache in which its last value lies, and the one in which all about its line in the mapping does.
private final class MemoryLoad {
  /// Of 64 bytes.
  private static let words = 8
  private let count: Int
  /// For each control: of the device's values some two share a cache line.
  private let values: UnsafeMutablePointer<Int>
  private let routes: UnsafeMutablePointer<Int>
  private var position = 0

  init(lines count: Int) {
    self.count = count
    let size = count * MemoryLoad.words
    values = .allocate(capacity: size / 2 + MemoryLoad.words)
    values.initialize(repeating: 0, count: size / 2 + MemoryLoad.words)
    routes = .allocate(capacity: size)
    routes.initialize(repeating: 0, count: size)
  }

  deinit {
    values.deallocate()
    routes.deallocate()
  }

  /// Both at once for each event, but no event before the last has what it waits for.
  func read(events: Int) -> Int {
    var place = position
    for _ in 0..<events {
      // In the order of `everything`.
      let other = place / 2 * MemoryLoad.words
      let found = values[other] | routes[place * MemoryLoad.words]
      place += 7919 % count + found
      if place >= count { place -= count }
    }
    position = place
    return events
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

  private init(
    _ routes: [RouteDescription], widgets: [WidgetDescription] = [], devices: Int,
    moving places: [Place], commands: Int = 1
  ) {
    self.places = places
    let program = Program(
      MappingDescription(
        devices: (0..<devices).map {
          DeviceDeclaration(name: "pad\($0)", role: .declared(.gamepad))
        }, widgets: widgets, routes: routes))
    ring = SPSCRing(capacity: commands + 64)
    runtime = Runtime(program, output: ring, deviceCapacity: devices)
    for device in 0..<devices {
      runtime.process(ControlEvent(.plugged, time: 0, device: DeviceIndex(device)))
      runtime.bind(DeviceIndex(device), to: device, time: 0)
    }
    while ring.pop() != nil {}
  }

  private static func route(
    _ index: Int, _ place: Place, to target: TargetDescription? = nil
  ) -> RouteDescription {
    RouteDescription(
      identity: "line \(index)", device: Int(place.device), control: place.control,
      range: .bipolar, targets: [target ?? .channel("channel\(index)")])
  }

  /// The pad's controls by the language's names, then raw codes as far as a device has.
  private static let controls: [ControlID] =
    Control.gamepad.map(\.id) + Control.touch.map(\.id)
    + (0..<39).map { ControlID.raw(.pad, type: 3, code: UInt16($0)) }

  /// Lines on as many controls of one pad, of which the first `controls` move; their lines are spread among the others.
  static func pad(lines count: Int, controls moving: Int) -> RouteLoad {
    let moved = RouteLoad.controls.prefix(moving).map { Place(device: 0, control: $0) }
    // More raw codes than a device could send: they only have to be listened to.
    var places = (0..<count - moving).map {
      Place(device: 0, control: .raw(.motion, type: UInt16($0 >> 16), code: UInt16($0 & 0xFFFF)))
    }
    for (index, place) in moved.enumerated() {
      places.insert(place, at: index * (places.count + 1) / moving)
    }
    return RouteLoad(places.enumerated().map { route($0, $1) }, devices: 1, moving: moved)
  }

  /// Lines that all listen to the control that moves.
  static func oneControl(lines count: Int) -> RouteLoad {
    let place = Place(device: 0, control: .leftX)
    return RouteLoad(
      (0..<count).map { route($0, place) }, devices: 1, moving: [place], commands: count)
  }

  /// Lines, each on a control of its own, 100 controls a device, which all move, in an order that no cache foresees.
  static func everything(lines count: Int) -> RouteLoad {
    let places = (0..<count).map { all($0 / 100, $0 % 100) }
    return RouteLoad(
      places.enumerated().map { route($0, $1) }, devices: (count + 99) / 100,
      moving: (0..<count).map { places[$0 * 7919 % count] })
  }

  /// The same, whose controls move device by device, as devices send them.
  static func devices(_ count: Int) -> RouteLoad {
    let places = (0..<100 * count).map { all($0 % count, $0 / count) }
    return RouteLoad(places.enumerated().map { route($0, $1) }, devices: count, moving: places)
  }

  private static func all(_ device: Int, _ control: Int) -> Place {
    Place(device: DeviceIndex(device), control: controls[control])
  }

  static func widgets(_ count: Int) -> RouteLoad {
    let widgets = (0..<count).map {
      WidgetDescription(name: "widget\($0)", kind: .slider, range: ValueRange(0, 10))
    }
    let places = RouteLoad.controls.prefix(31).map { Place(device: 0, control: $0) }
    return RouteLoad(
      places.enumerated().map { route($0, $1, to: .widget($0 * count / 31)) }, widgets: widgets,
      devices: 1, moving: places)
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
