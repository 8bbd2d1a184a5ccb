public import Events

/// Reads a take from its start to its end, a frame at a time, holding only a piece of it in memory.
///
/// Devices are numbered in the order of their declarations. Use it from one thread.
public final class TakeReader {
  public enum Item: Sendable, Equatable {
    /// A device appears. Its `plugged` event follows in a frame.
    case device(DeviceIndex, name: String, DeviceDescription)
    /// A device declared without `controls=` turned out to have more controls than were known.
    case controls(DeviceIndex, DeviceDescription)
    /// The range of a raw code of a device.
    case axis(DeviceIndex, ControlID, ValueRange)
    /// A calibration that was in force: the values of `key`.
    case calibration(DeviceIndex, key: String, values: [Double])
    /// What one device did at one time; the last event is the frame's end.
    case frame([ControlEvent])
    /// One whole MIDI message.
    case midi(time: Nanoseconds, DeviceIndex, [UInt8])
    /// A hand on a widget.
    case widget(time: Nanoseconds, name: String, value: Double)
    /// Something that the user should know, and that does not keep the take from being played.
    case note(TakeError)
  }

  private struct Device {
    var index: DeviceIndex
    var line: Int
    var description: DeviceDescription
    /// Groups of controls known so far, where the declaration does not list them; nil where it does.
    var learned: Set<String>?
    var isPlugged = true
    var touches = TakeTouches()
  }

  /// The file's name in errors.
  public let name: String
  /// The time of the last line read; after `next` gave nil, the end of the take.
  public private(set) var endTime: Nanoseconds

  private let lines: TakeLines
  private let origin: Nanoseconds
  private let firstDevice: DeviceIndex
  private var now: Nanoseconds = 0
  private var devices: [Device] = []
  private var deviceNumbers: [String: Int] = [:]
  private var learnedAhead: [String: Set<String>] = [:]
  private var assembly = TakeFrameAssembly()
  private var ready: [Item] = []
  private var readyHead = 0
  private var hasHeader = false
  private var failure: TakeError?
  private var isAtEnd = false

  /// - Parameters:
  ///   - name: what errors call the take, mostly its path.
  ///   - origin: the time that the take's 0 becomes.
  ///   - firstDevice: the number of the first device.
  public init(
    _ source: any ByteSource, name: String, origin: Nanoseconds = 0, firstDevice: DeviceIndex = 0
  ) {
    self.name = name
    self.origin = origin
    self.firstDevice = firstDevice
    endTime = origin
    lines = TakeLines(source)
  }

  /// Whether `next` has something without reading on: things of one time are read together.
  public var hasNext: Bool { readyHead < ready.count }

  /// The next thing in the take, or nil at its end.
  ///
  /// - Throws: `TakeError` with the line and what to do; after it nothing more is read.
  public func next() throws(TakeError) -> Item? {
    while readyHead == ready.count {
      if isAtEnd { return nil }
      if let failure { throw failure }
      ready.removeAll(keepingCapacity: true)
      readyHead = 0
      do throws(TakeSyntaxError) {
        try readLine()
      } catch {
        if lines.isCut && hasHeader {
          note("the last line is cut off and left out; the take ends before it.")
          finish()
        } else {
          failure = TakeError(file: name, line: lines.number, message: error.message)
        }
      }
    }
    readyHead += 1
    return ready[readyHead - 1]
  }

  private func note(_ message: String) {
    ready.append(.note(TakeError(file: name, line: lines.number, message: message)))
  }

  private func finish() {
    assembly.flush(into: &ready)
    isAtEnd = true
  }

  private func readLine() throws(TakeSyntaxError) {
    if lines.number == 0 { try lookAhead() }
    guard let range = try lines.next() else {
      if !hasHeader {
        throw TakeSyntaxError("this is no take: it is empty; a take starts with 'sonde-take 1'.")
      }
      return finish()
    }
    if !hasHeader {
      return try readHeader(range)
    }
    guard let line = try TakeLine.parse(lines.bytes, range, declared: deviceNumbers) else { return }
    if let time = line.time {
      if time < now {
        throw TakeSyntaxError(
          "time goes back from \(seconds(now)) to \(seconds(time)); sort the lines or correct it.")
      }
      if time > now {
        assembly.flush(into: &ready)
        now = time
        endTime = origin + time
      }
    }
    try take(line.statement)
  }

  private func readHeader(_ range: Range<Int>) throws(TakeSyntaxError) {
    if TakeScanner(lines.bytes, range).isAtEnd { return }
    var line: TakeLine?
    do throws(TakeSyntaxError) {
      line = try TakeLine.parse(lines.bytes, range)
    } catch {}
    guard case .header(let version)? = line?.statement else {
      throw TakeSyntaxError("this is no take: it does not start with a line 'sonde-take 1'.")
    }
    if version != 1 {
      throw TakeSyntaxError(
        "this take is of version \(version), and this Sonde reads version 1; use a newer Sonde.")
    }
    hasHeader = true
  }

  private func take(_ statement: TakeLine.Statement) throws(TakeSyntaxError) {
    switch statement {
    case .header: throw TakeSyntaxError("the take starts twice; remove this line.")
    case .raw: break
    case .device(let name, let description): try declare(name, description)
    case .axis(let name, let control, let range):
      ready.append(.axis(devices[try number(of: name)].index, control, range))
    case .calibration(let name, let key, let values):
      ready.append(.calibration(devices[try number(of: name)].index, key: key, values: values))
    case .widget(let name, let value):
      assembly.add(.widget(time: origin + now, name: name, value: value))
    case .midi(let name, let message):
      let device = try pluggedNumber(of: name)
      assembly.add(.midi(time: origin + now, devices[device].index, message))
    case .plugged(let name): plug(try number(of: name))
    case .unplugged(let name): unplug(try number(of: name))
    case .lost(let name): add(.lost, try pluggedNumber(of: name))
    case .motion(let name, let values, let sensorTime):
      let device = try pluggedNumber(of: name)
      addValues(device, .accelerometerX, values[0..<3], sensorTime)
      addValues(device, .gyroX, values[3..<6], sensorTime)
    case .values(let name, let first, let values, let sensorTime):
      addValues(try pluggedNumber(of: name), first, values[...], sensorTime)
    case .touch(let name, let finger, let x, let y):
      let device = try pluggedNumber(of: name)
      let control = ControlID.touchX(finger)
      addValues(device, control, [x, y], .none)
      if !devices[device].touches[finger] {
        addValues(device, control.offset(by: 2), [1], .none)
      }
    case .touchUp(let name, let finger):
      addValues(try pluggedNumber(of: name), ControlID.touchX(finger).offset(by: 2), [0], .none)
    }
  }

  // MARK: Devices

  private func declare(_ name: String, _ description: DeviceDescription) throws(TakeSyntaxError) {
    if let number = deviceNumbers[name] {
      throw TakeSyntaxError(
        "device '\(name)' is declared in line \(devices[number].line) already; write '\(seconds(now)) \(name) plugged' if it came back, or take another name."
      )
    }
    guard let index = DeviceIndex(exactly: Int(firstDevice) + devices.count) else {
      throw TakeSyntaxError("the take has more than 65536 devices; split it.")
    }
    var device = Device(index: index, line: lines.number, description: description)
    if description.controls.isEmpty {
      let ahead = learnedAhead[name] ?? []
      device.learned = ahead
      device.description.controls = ahead.sorted()
    }
    deviceNumbers[name] = devices.count
    devices.append(device)
    ready.append(.device(index, name: name, device.description))
    assembly.add(ControlEvent(.plugged, time: origin + now, device: index))
  }

  private func number(of name: String) throws(TakeSyntaxError) -> Int {
    guard let number = deviceNumbers[name] else {
      throw TakeSyntaxError("device '\(name)' is not declared; write: device \(name) KIND.")
    }
    return number
  }

  private func pluggedNumber(of name: String) throws(TakeSyntaxError) -> Int {
    let number = try number(of: name)
    if !devices[number].isPlugged {
      throw TakeSyntaxError(
        "'\(name)' is unplugged here; write '\(seconds(now)) \(name) plugged' before this line.")
    }
    return number
  }

  private func plug(_ number: Int) {
    if devices[number].isPlugged { return }
    devices[number].isPlugged = true
    add(.plugged, number)
  }

  private func unplug(_ number: Int) {
    if !devices[number].isPlugged { return }
    devices[number].isPlugged = false
    devices[number].touches = TakeTouches()
    assembly.close(devices[number].index)
    add(.unplugged, number)
    assembly.close(devices[number].index)
  }

  // MARK: Events

  private func add(_ kind: ControlEvent.Kind, _ number: Int) {
    assembly.add(ControlEvent(kind, time: origin + now, device: devices[number].index))
  }

  private func addValues(
    _ number: Int, _ first: ControlID, _ values: ArraySlice<Double>, _ sensorTime: Nanoseconds
  ) {
    for (offset, value) in values.enumerated() {
      let control = first.offset(by: offset)
      if let finger = control.fingerDown {
        devices[number].touches[finger] = value != 0
      }
      assembly.add(
        ControlEvent(
          .value, time: origin + now, device: devices[number].index, control: control,
          value: value, sensorTime: sensorTime))
    }
    if devices[number].learned != nil { learn(number, first) }
  }

  private func learn(_ number: Int, _ control: ControlID) {
    guard let group = control.groupName else { return }
    if devices[number].learned?.insert(group).inserted == true {
      devices[number].description.controls = devices[number].learned!.sorted()
      ready.append(.controls(devices[number].index, devices[number].description))
    }
  }

  /// Sees which controls the first lines use, so that a pad that is declared without `controls=` counts as
  /// a motion device from its start.
  private func lookAhead() throws(TakeSyntaxError) {
    var learned: [String: Set<String>] = [:]
    try lines.lookAhead { bytes, range in
      guard let line = try? TakeLine.parse(bytes, range) else { return }
      switch line.statement {
      case .values(let device, let first, _, _):
        if let group = first.groupName { learned[device, default: []].insert(group) }
      case .motion(let device, _, _):
        learned[device, default: []].formUnion(["accelerometer", "gyro"])
      case .touch(let device, _, _, _): learned[device, default: []].insert("touch")
      default: break
      }
    }
    learnedAhead = learned
  }

  private func seconds(_ time: Nanoseconds) -> String {
    var text: [UInt8] = []
    TakeNumber.append(time, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension ControlID {
  /// The finger whose `.down` this control is, or nil.
  var fingerDown: Int? {
    let offset = Int(rawValue) - Int(ControlID.touchX(0).rawValue)
    return offset >= 0 && offset < 30 && offset % 3 == 2 ? offset / 3 : nil
  }
}
