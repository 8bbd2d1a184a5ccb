import Events

/// Which fingers are down, one bit each.
struct TakeTouches: Equatable {
  private var bits: UInt16 = 0

  subscript(finger: Int) -> Bool {
    get { bits >> finger & 1 == 1 }
    set { if newValue { bits |= 1 << finger } else { bits &= ~(1 << finger) } }
  }
}

/// One frame of one device as the lines of a take, without time and name.
///
/// Vectors whose parts are all there become one line each, an accelerometer with its gyroscope one `motion` line,
/// a finger's position one `touch` line; everything else is a control and its value.
struct TakeFrameText {
  private(set) var lines: [[UInt8]] = []
  /// The controls in it, and whether events were lost before it.
  private(set) var controls: [ControlID] = []
  private(set) var isAfterLoss = false
  private(set) var touches: TakeTouches
  private(set) var skippedCount = 0

  private let events: [ControlEvent]
  private var isWritten: [Bool]

  init(_ events: [ControlEvent], touches: TakeTouches) {
    self.events = events
    self.touches = touches
    isWritten = Array(repeating: false, count: events.count)
    for index in events.indices where !isWritten[index] { write(index) }
  }

  /// Whether a reader that puts this frame and one with `others` into one would lose something.
  func repeats(_ others: [ControlID]) -> Bool {
    isAfterLoss || controls.contains(where: others.contains)
  }

  private mutating func write(_ index: Int) {
    let event = events[index]
    switch event.kind {
    case .plugged: lines.append(Array("plugged".utf8))
    case .unplugged: lines.append(Array("unplugged".utf8))
    case .lost:
      lines.append(Array("lost".utf8))
      isAfterLoss = true
    case .value:
      if writeMotion(event) || writeVector(event) || writeTouch(event) {
        // The group took this event along, unless it is a part that stands alone.
        if isWritten[index] { return }
      }
      writeSingle(index)
    case .frameEnd, .raw, .widget: break
    }
  }

  private mutating func writeSingle(_ index: Int) {
    let event = events[index]
    isWritten[index] = true
    guard let name = event.control.takeName, event.value.isFinite else {
      skippedCount += 1
      return
    }
    controls.append(event.control)
    if let finger = event.control.fingerDown {
      touches[finger] = event.value != 0
      if event.value.bitPattern == 0, event.sensorTime == .none {
        lines.append(Array("touch \(finger) up".utf8))
        return
      }
    }
    appendLine(name, [event.value], event.sensorTime)
  }

  private mutating func appendLine(_ name: String, _ values: [Double], _ sensorTime: Nanoseconds) {
    var line = Array(name.utf8)
    for value in values {
      line.append(UInt8(ascii: " "))
      line.append(contentsOf: value.shortestText.utf8)
    }
    if sensorTime >= 0 {
      line.append(contentsOf: " @".utf8)
      TakeNumber.append(sensorTime, to: &line)
    }
    lines.append(line)
  }

  // MARK: Groups

  private static let vectors: [(name: String, first: ControlID, count: Int)] = [
    ("accelerometer", .accelerometerX, 3), ("gyro", .gyroX, 3),
    ("magnetometer", .magnetometerX, 3), ("gravity", .gravityX, 3),
    ("quaternion", .quaternionW, 4),
  ]

  /// Where the `count` controls from `first` on are, if each is there just once, all with one sensor time.
  private func places(_ first: ControlID, _ count: Int) -> [Int]? {
    var places: [Int] = []
    places.reserveCapacity(count)
    for offset in 0..<count {
      let control = first.offset(by: offset)
      var place = -1
      for index in events.indices where events[index].control == control {
        if events[index].kind != .value { continue }
        if place >= 0 { return nil }
        place = index
      }
      if place < 0 || isWritten[place] || !events[place].value.isFinite { return nil }
      places.append(place)
    }
    let sensorTime = events[places[0]].sensorTime
    for place in places where events[place].sensorTime != sensorTime { return nil }
    return places
  }

  private mutating func take(_ places: [Int]) {
    for place in places {
      isWritten[place] = true
      controls.append(events[place].control)
    }
  }

  private mutating func writeMotion(_ event: ControlEvent) -> Bool {
    guard
      Self.isPart(event.control, of: .accelerometerX, 3)
        || Self.isPart(event.control, of: .gyroX, 3),
      let acceleration = places(.accelerometerX, 3), let rate = places(.gyroX, 3),
      events[acceleration[0]].sensorTime == events[rate[0]].sensorTime
    else { return false }
    take(acceleration + rate)
    appendLine("motion", (acceleration + rate).map { events[$0].value }, event.sensorTime)
    return true
  }

  private mutating func writeVector(_ event: ControlEvent) -> Bool {
    for vector in Self.vectors where Self.isPart(event.control, of: vector.first, vector.count) {
      guard let places = places(vector.first, vector.count) else { return false }
      take(places)
      appendLine(vector.name, places.map { events[$0].value }, event.sensorTime)
      return true
    }
    return false
  }

  /// Writes a finger's position before its other events, and takes a touch-down along, which the line implies.
  private mutating func writeTouch(_ event: ControlEvent) -> Bool {
    let first = ControlID.touchX(0).rawValue
    guard event.control.rawValue >= first, event.control.rawValue < first + 30 else { return false }
    let finger = Int(event.control.rawValue - first) / 3
    let control = ControlID.touchX(finger)
    guard let position = places(control, 2), events[position[0]].sensorTime == .none else {
      return false
    }
    let down = places(control.offset(by: 2), 1)?.first
    if !touches[finger] {
      guard let down, events[down].value == 1, events[down].sensorTime == .none else {
        return false
      }
      take([down])
      touches[finger] = true
    }
    take(position)
    let (x, y) = (events[position[0]].value, events[position[1]].value)
    lines.append(Array("touch \(finger) \(x.shortestText) \(y.shortestText)".utf8))
    return true
  }

  private static func isPart(_ control: ControlID, of first: ControlID, _ count: Int) -> Bool {
    control.rawValue >= first.rawValue && control.rawValue < first.rawValue + UInt32(count)
  }
}
