public import Events

/// Writes a take as things happen, so that what is on disk at any moment is a whole take up to there.
///
/// Feed it what the INPUT thread saw, frame by frame, and call `flush(now:)` a few times a second. Use it from one
/// thread. Frames of several devices may come somewhat out of order; they are sorted within `reorderWindow`.
public final class TakeWriter {
  /// How long a frame may be overtaken by older ones of other devices before it is written.
  public static let reorderWindow: Nanoseconds = 50_000_000

  private struct Device {
    var name: String
    var description: DeviceDescription
    var axes: [(control: ControlID, range: ValueRange)]
    var isDeclared = false
    var isPlugged = false
    var touches = TakeTouches()
    /// The written time of the last frame, and what it held: a second frame at that time would join it.
    var lastTime: Nanoseconds = -1
    var lastControls: [ControlID] = []
  }

  private enum Content {
    case frame([ControlEvent])
    case midi([UInt8])
    case calibration(key: String, values: [Double])
    case widget(name: String, value: Double)
  }

  private struct Entry {
    var time: Nanoseconds
    var device: DeviceIndex
    var content: Content
  }

  /// The names of widgets by the numbers in `.widget` events.
  public var widgetNames: [String] = []
  /// Events that could not be written, because their device, control or widget has no name, or their value is no
  /// finite number. It stays 0 unless the caller forgot a declaration.
  public private(set) var skippedCount = 0

  private let sink: any ByteSink
  private let start: Nanoseconds
  private var devices: [DeviceIndex: Device] = [:]
  /// Devices that lost their number to another one; they may come back.
  private var former: [Device] = []
  private var nameCounts: [DeviceDescription.Kind: Int] = [:]
  private var openFrames: [DeviceIndex: [ControlEvent]] = [:]
  /// Whole frames that are not written yet, sorted by time.
  private var pending: [Entry] = []
  private var lastTime: Nanoseconds = 0
  private var text: [UInt8] = Array("sonde-take 1\n".utf8)

  /// - Parameter start: what becomes 0 in the take; what is older counts as 0.
  public init(_ sink: any ByteSink, start: Nanoseconds) {
    self.sink = sink
    // evdev counts in microseconds: from a whole microsecond on, six digits say all of them.
    self.start = start - start % 1000
  }

  // MARK: What happens

  /// Says what `device` is; call it before its events, again whenever the number passes to another device.
  public func declare(
    _ device: DeviceIndex, _ description: DeviceDescription,
    axes: [(control: ControlID, range: ValueRange)] = []
  ) {
    if let old = devices[device] {
      if old.description.isSame(as: description) {
        // More may be known of its controls by now.
        if !old.isDeclared { devices[device]?.description = description }
        return
      }
      endFrame(device)
      leave(device)
    }
    // What is pending uses the names as they are; after it the device may get the name that it had before.
    write(upTo: .max)
    if let old = devices[device], old.isDeclared { former.append(old) }
    let other = devices.keys.sorted().first { number in
      guard let other = devices[number] else { return false }
      return other.isDeclared && !other.isPlugged && other.description.isSame(as: description)
    }
    if let other, let old = devices.removeValue(forKey: other) { former.append(old) }
    if let index = former.firstIndex(where: { $0.description.isSame(as: description) }) {
      devices[device] = former.remove(at: index)
      return
    }
    let count = nameCounts[description.kind, default: 0] + 1
    nameCounts[description.kind] = count
    let base =
      switch description.kind {
      case .gamepad: "pad"
      case .imu: "body"
      case .midi: "keys"
      case .evdev: "input"
      }
    devices[device] = Device(
      name: count == 1 ? base : base + String(count), description: description, axes: axes)
  }

  /// Takes one event; a frame is written when its end came.
  public func append(_ event: ControlEvent) {
    switch event.kind {
    case .frameEnd: endFrame(event.device)
    case .unplugged:
      endFrame(event.device)
      insert(Entry(time: event.time, device: event.device, content: .frame([event])))
    case .widget:
      let number = Int(event.control.rawValue)
      if number < widgetNames.count {
        appendWidget(widgetNames[number], event.value, time: event.time)
      } else {
        skippedCount += 1
      }
    case .raw:
      insert(Entry(time: event.time, device: event.device, content: .frame([event])))
    case .value, .lost, .plugged: openFrames[event.device, default: []].append(event)
    }
  }

  /// One whole MIDI message.
  public func appendMIDI(_ message: [UInt8], device: DeviceIndex, time: Nanoseconds) {
    if MIDIMessageShape.problem(of: message) != nil {
      skippedCount += 1
    } else {
      insert(Entry(time: time, device: device, content: .midi(message)))
    }
  }

  /// A hand on a widget.
  public func appendWidget(_ name: String, _ value: Double, time: Nanoseconds) {
    if name.isEmpty || !value.isFinite {
      skippedCount += 1
    } else {
      insert(Entry(time: time, device: 0, content: .widget(name: name, value: value)))
    }
  }

  /// A calibration that is in force from `time` on.
  public func appendCalibration(
    _ key: String, _ values: [Double], device: DeviceIndex, time: Nanoseconds
  ) {
    insert(Entry(time: time, device: device, content: .calibration(key: key, values: values)))
  }

  /// Writes what is older than the reorder window, and hands everything written to the system.
  ///
  /// - Throws: what the sink throws, such as a full disk.
  public func flush(now: Nanoseconds) throws {
    write(upTo: now - TakeWriter.reorderWindow)
    try handOver()
  }

  /// Writes everything that is left. Frames without an end are the last ones of their devices.
  ///
  /// - Throws: what the sink throws.
  public func finish() throws {
    for device in openFrames.keys.sorted() { endFrame(device) }
    write(upTo: .max)
    for device in devices.keys.sorted() { declareIfNeeded(device, lastTime) }
    try handOver()
  }

  // MARK: Order

  private func endFrame(_ device: DeviceIndex) {
    guard let events = openFrames.removeValue(forKey: device), let first = events.first else {
      return
    }
    insert(Entry(time: first.time, device: device, content: .frame(events)))
  }

  /// Ends what `device` stands for, if its driver did not say so.
  private func leave(_ device: DeviceIndex) {
    let time = max(pending.last?.time ?? .min, start + lastTime)
    let event = ControlEvent(.unplugged, time: time, device: device)
    insert(Entry(time: time, device: device, content: .frame([event])))
  }

  private func insert(_ entry: Entry) {
    var index = pending.count
    while index > 0, pending[index - 1].time > entry.time { index -= 1 }
    pending.insert(entry, at: index)
  }

  private func write(upTo limit: Nanoseconds) {
    var count = 0
    while count < pending.count, pending[count].time <= limit {
      write(pending[count])
      count += 1
    }
    pending.removeFirst(count)
  }

  private func handOver() throws {
    if !text.isEmpty {
      let bytes = text
      text.removeAll(keepingCapacity: true)
      try sink.write(bytes)
    }
    try sink.flush()
  }

  // MARK: Lines

  private func write(_ entry: Entry) {
    // Time never goes back in a take: what comes later than the window allows moves up to what is written.
    let time = max(entry.time > start ? entry.time - start : 0, lastTime)
    switch entry.content {
    case .widget(let name, let value):
      begin(time)
      text.append(contentsOf: "widget ".utf8)
      TakeText.appendName(name, to: &text)
      text.append(contentsOf: " \(value.shortestText)\n".utf8)
    case .midi(let message):
      guard let name = readyName(entry.device, time) else { return }
      begin(time)
      text.append(contentsOf: "\(name) midi".utf8)
      for byte in message {
        text.append(UInt8(ascii: " "))
        TakeText.appendHex(byte, to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    case .calibration(let key, let values):
      guard let name = readyName(entry.device, time) else { return }
      let numbers = values.map(\.shortestText).joined(separator: " ")
      text.append(contentsOf: "calibration \(name) \(key) \(numbers)\n".utf8)
    case .frame(let events):
      if events.first?.kind == .raw {
        writeRaw(events[0], time)
      } else {
        write(events, entry, time)
      }
    }
  }

  private func write(_ events: [ControlEvent], _ entry: Entry, _ earliest: Nanoseconds) {
    guard var device = devices[entry.device] else {
      skippedCount += events.count
      return
    }
    var time = earliest
    var events = events
    // A declaration says that the device is plugged in.
    if !device.isDeclared {
      declareIfNeeded(entry.device, time)
      device = devices[entry.device]!
      events.removeAll { $0.kind == .plugged }
    } else if device.isPlugged {
      events.removeAll { $0.kind == .plugged }
    } else if events.first?.kind != .plugged {
      // Nothing that a device says after it left can be heard; a take with it would be refused.
      skippedCount += events.first?.kind == .unplugged ? 0 : events.count
      return
    }
    let frame = TakeFrameText(events, touches: device.touches)
    skippedCount += frame.skippedCount
    if device.lastTime == time && frame.repeats(device.lastControls) { time += 1 }
    if device.lastTime != time { device.lastControls.removeAll(keepingCapacity: true) }
    device.lastTime = time
    device.lastControls += frame.controls
    for line in frame.lines {
      begin(time)
      text.append(contentsOf: "\(device.name) ".utf8)
      text.append(contentsOf: line)
      text.append(UInt8(ascii: "\n"))
    }
    device.touches = frame.touches
    if events.contains(where: { $0.kind == .plugged }) { device.isPlugged = true }
    if events.contains(where: { $0.kind == .unplugged }) {
      device.isPlugged = false
      device.touches = TakeTouches()
      device.lastControls.removeAll()
    }
    devices[entry.device] = device
  }

  private func writeRaw(_ event: ControlEvent, _ time: Nanoseconds) {
    begin(time)
    let value = event.value.shortestText
    text.append(
      contentsOf:
        "raw event\(event.node) \(event.control.rawType) \(event.control.rawCode) \(value)\n".utf8)
  }

  private func begin(_ time: Nanoseconds) {
    lastTime = time
    TakeNumber.append(time, to: &text)
    text.append(UInt8(ascii: " "))
  }

  private func readyName(_ device: DeviceIndex, _ time: Nanoseconds) -> String? {
    declareIfNeeded(device, time)
    guard let found = devices[device], found.isPlugged else {
      skippedCount += 1
      return nil
    }
    return found.name
  }

  private func declareIfNeeded(_ index: DeviceIndex, _ time: Nanoseconds) {
    guard let device = devices[index], !device.isDeclared else { return }
    if time > 0 { begin(time) }
    device.description.appendDeclaration(of: device.name, to: &text)
    for axis in device.axes {
      guard let name = axis.control.rawName else { continue }
      let range = "\(axis.range.low.shortestText) \(axis.range.high.shortestText)"
      text.append(contentsOf: "axis \(device.name) \(name) \(range)\n".utf8)
    }
    devices[index]?.isDeclared = true
    devices[index]?.isPlugged = true
  }
}

extension DeviceDescription {
  /// Whether both are of one device; what is known of its controls may have grown.
  func isSame(as other: DeviceDescription) -> Bool {
    var copy = other
    copy.controls = controls
    return self == copy
  }

  fileprivate func appendDeclaration(of device: String, to text: inout [UInt8]) {
    func attribute(_ key: String, _ value: String) {
      if value.isEmpty { return }
      text.append(contentsOf: " \(key)=".utf8)
      TakeText.appendQuoted(value, to: &text)
    }
    func id(_ key: String, _ value: UInt16?) {
      guard let value else { return }
      let digits = String(value, radix: 16)
      let zeros = String(repeating: "0", count: 4 - digits.count)
      text.append(contentsOf: " \(key)=\(zeros)\(digits)".utf8)
    }
    text.append(contentsOf: "device \(device) \(kind.rawValue)".utf8)
    attribute("name", name)
    attribute("model", model ?? "")
    id("vendor", vendor)
    id("product", product)
    attribute("uniq", uniq)
    attribute("serial", serial)
    attribute("path", path)
    attribute("controls", controls.joined(separator: " "))
    text.append(UInt8(ascii: "\n"))
  }
}
