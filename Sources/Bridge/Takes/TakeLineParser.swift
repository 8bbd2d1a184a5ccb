import Events

extension TakeLine {
  /// Reads one line; nil if it is blank or a comment.
  ///
  /// - Parameter text: the line without its end.
  /// - Throws: `TakeError` with line `number` and what to do.
  public static func parse(_ text: String, file: String = "take", number: Int = 1)
    throws(TakeError) -> TakeLine?
  {
    let bytes = Array(text.utf8)
    do {
      return try parse(bytes, 0..<bytes.count)
    } catch {
      throw TakeError(file: file, line: number, message: error.message)
    }
  }

  /// Reads the line in `bytes[range]`; nil if it is blank or a comment.
  ///
  /// - Parameter declared: the names of devices so far, or nil to take any.
  static func parse(_ bytes: [UInt8], _ range: Range<Int>, declared: [String: Int]? = nil)
    throws(TakeSyntaxError) -> TakeLine?
  {
    var parser = TakeLineParser(scanner: TakeScanner(bytes, range), declared: declared)
    return try parser.line()
  }
}

private struct TakeLineParser {
  var scanner: TakeScanner
  let declared: [String: Int]?

  mutating func line() throws(TakeSyntaxError) -> TakeLine? {
    guard let first = scanner.next else { return nil }
    var time: Nanoseconds?
    // A name never starts with a digit, a dot or a sign, so the first byte tells whether a time stands there.
    if first >= 0x30 && first <= 0x39 || first == UInt8(ascii: ".") || first == UInt8(ascii: "-")
      || first == UInt8(ascii: "+")
    {
      let range = scanner.word()
      time = TakeNumber.nanoseconds(scanner.bytes, range)
      if time == nil {
        throw TakeSyntaxError(
          "the time '\(scanner.text(range))' is no number of seconds; write it as 12.345678.")
      }
    }
    let word = scanner.text()
    let statement =
      switch word {
      case "": throw TakeSyntaxError("a time stands alone; remove the line or write what happened.")
      case "sonde-take": try header()
      case "device": try device()
      case "axis": try axis()
      case "calibration": try calibration()
      case "widget": try widget(time)
      case "raw": raw()
      case "nan", "NaN", "inf", "Inf", "infinity":
        throw TakeSyntaxError(
          "the time '\(word)' is no number of seconds; write it as 12.345678.")
      default: try control(of: word, time)
      }
    try expectEnd(after: word)
    return TakeLine(time: time, statement)
  }

  /// Steps over `key=value` that a later version may have added; anything else is too much.
  private mutating func expectEnd(after word: String) throws(TakeSyntaxError) {
    while !scanner.isAtEnd {
      if try scanner.attribute() == nil {
        let rest = scanner.text()
        throw TakeSyntaxError("'\(rest)' is too much on a line of '\(word)'; remove it.")
      }
    }
  }

  private mutating func header() throws(TakeSyntaxError) -> TakeLine.Statement {
    .header(version: try scanner.integer("the version of the take", in: 0...Int(Int32.max)))
  }

  private mutating func raw() -> TakeLine.Statement {
    while !scanner.isAtEnd { _ = scanner.word() }
    return .raw
  }

  private mutating func device() throws(TakeSyntaxError) -> TakeLine.Statement {
    let name = scanner.text()
    try check(deviceName: name)
    let word = scanner.text()
    guard let kind = DeviceDescription.Kind(rawValue: word) else {
      let kinds = DeviceDescription.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw TakeSyntaxError("device '\(name)' is of kind '\(word)'; the kinds are \(kinds).")
    }
    var description = DeviceDescription(kind: kind, name: "")
    while !scanner.isAtEnd {
      guard let (key, value) = try scanner.attribute() else {
        let rest = scanner.text()
        throw TakeSyntaxError(
          "'\(rest)' is no attribute of device '\(name)'; write key=value or key=\"value\".")
      }
      switch key {
      case "name": description.name = value
      case "model": description.model = value
      case "vendor": description.vendor = try hex(key, value)
      case "product": description.product = try hex(key, value)
      case "uniq": description.uniq = value
      case "serial": description.serial = value
      case "path": description.path = value
      case "controls": description.controls = value.split(separator: " ").map(String.init)
      default: break
      }
    }
    return .device(name: name, description)
  }

  private func check(deviceName name: String) throws(TakeSyntaxError) {
    let reserved: Set<String> = [
      "sonde-take", "device", "axis", "calibration", "widget", "raw", "nan", "NaN", "inf", "Inf",
      "infinity",
    ]
    guard let first = name.utf8.first else {
      throw TakeSyntaxError("a device without a name; write: device NAME KIND name=\"…\".")
    }
    let isWord = first | 0x20 >= UInt8(ascii: "a") && first | 0x20 <= UInt8(ascii: "z")
    let isStart = isWord || first == UInt8(ascii: "_") || first >= 0x80
    if !isStart || reserved.contains(name) {
      throw TakeSyntaxError(
        "'\(name)' cannot name a device; take a word that starts with a letter and is no statement."
      )
    }
  }

  private func hex(_ key: String, _ value: String) throws(TakeSyntaxError) -> UInt16 {
    guard !value.hasPrefix("+"), let number = UInt16(value, radix: 16) else {
      throw TakeSyntaxError("\(key)=\(value) is no id; write four hexadecimal digits, as 054c.")
    }
    return number
  }

  private mutating func axis() throws(TakeSyntaxError) -> TakeLine.Statement {
    let device = scanner.text()
    try requireDeclared(device)
    let name = scanner.text()
    guard let id = ControlID(rawName: name) else {
      throw TakeSyntaxError(
        "'\(name)' is no axis of the kernel; an axis line names a raw code, as ABS_THROTTLE.")
    }
    let low = try scanner.number("the lowest value of \(name)")
    let high = try scanner.number("the highest value of \(name)")
    if low > high {
      throw TakeSyntaxError("the range of \(name) ends below its start; write the lower end first.")
    }
    return .axis(device: device, id, ValueRange(low, high))
  }

  private mutating func calibration() throws(TakeSyntaxError) -> TakeLine.Statement {
    let device = scanner.text()
    try requireDeclared(device)
    let key = scanner.text()
    if key.isEmpty {
      throw TakeSyntaxError("what is calibrated is missing; write: calibration NAME KEY VALUE….")
    }
    var values: [Double] = []
    while let byte = scanner.next, isNumber(byte) {
      values.append(try scanner.number("a value of \(key)"))
    }
    if values.isEmpty { throw TakeSyntaxError("calibration \(key) has no values; write them.") }
    return .calibration(device: device, key: key, values: values)
  }

  private func isNumber(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".")
  }

  private mutating func widget(_ time: Nanoseconds?) throws(TakeSyntaxError) -> TakeLine.Statement {
    try requireTime(time, "widget")
    let name = try scanner.name()
    if name.isEmpty { throw TakeSyntaxError("a widget without a name; write: widget NAME VALUE.") }
    return .widget(name: name, value: try scanner.number("the value of widget '\(name)'"))
  }

  private func requireTime(_ time: Nanoseconds?, _ word: String) throws(TakeSyntaxError) {
    if time == nil {
      throw TakeSyntaxError(
        "'\(word)' is no statement; a line of what happened starts with its time, as 12.345678 \(word) …."
      )
    }
  }

  private func requireDeclared(_ device: String) throws(TakeSyntaxError) {
    if let declared, declared[device] == nil {
      throw TakeSyntaxError(
        "'\(device)' is no statement and no declared device; write before it: device \(device) KIND name=\"…\"."
      )
    }
  }

  private mutating func control(of device: String, _ time: Nanoseconds?)
    throws(TakeSyntaxError) -> TakeLine.Statement
  {
    try requireTime(time, device)
    try requireDeclared(device)
    let word = scanner.text()
    switch word {
    case "":
      throw TakeSyntaxError("what '\(device)' did is missing; write a control and its value.")
    case "motion":
      let values = try numbers(6, of: word)
      return .motion(device: device, values: values, sensorTime: try sensorTime())
    case "accelerometer": return try vector(device, word, .accelerometerX, 3)
    case "gyro": return try vector(device, word, .gyroX, 3)
    case "magnetometer": return try vector(device, word, .magnetometerX, 3)
    case "gravity": return try vector(device, word, .gravityX, 3)
    case "quaternion": return try vector(device, word, .quaternionW, 4)
    case "touch": return try touch(device)
    case "midi": return .midi(device: device, try midi())
    case "lost": return .lost(device: device)
    case "unplugged": return .unplugged(device: device)
    case "plugged": return .plugged(device: device)
    default:
      guard let id = ControlID(takeName: word) else {
        throw TakeSyntaxError(
          "'\(word)' is no control that a take knows; see the list of controls, or raw codes as ABS_RZ."
        )
      }
      return try vector(device, word, id, 1)
    }
  }

  private mutating func vector(_ device: String, _ word: String, _ first: ControlID, _ count: Int)
    throws(TakeSyntaxError) -> TakeLine.Statement
  {
    let values = try numbers(count, of: word)
    return .values(device: device, first: first, values: values, sensorTime: try sensorTime())
  }

  private mutating func numbers(_ count: Int, of word: String) throws(TakeSyntaxError) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(count)
    for index in 1...count {
      // Not made unless it is needed: a take has millions of these lines.
      func what() -> String {
        count == 1 ? "the value of \(word)" : "number \(index) of \(count) of \(word)"
      }
      if scanner.next == UInt8(ascii: "@") { throw TakeSyntaxError("\(what()) is missing.") }
      values.append(try scanner.number(what()))
    }
    return values
  }

  /// `@7.100000`, or `.none`.
  private mutating func sensorTime() throws(TakeSyntaxError) -> Nanoseconds {
    guard scanner.next == UInt8(ascii: "@") else { return .none }
    let range = scanner.word()
    let digits = range.lowerBound + 1..<range.upperBound
    guard let time = TakeNumber.nanoseconds(scanner.bytes, digits) else {
      throw TakeSyntaxError(
        "the sensor's time '\(scanner.text(range))' is no number of seconds; write it as @7.100000."
      )
    }
    return time
  }

  private mutating func touch(_ device: String) throws(TakeSyntaxError) -> TakeLine.Statement {
    let finger = try scanner.integer("the finger's number", in: 0...9)
    if scanner.next == UInt8(ascii: "u") {
      let word = scanner.text()
      if word == "up" { return .touchUp(device: device, finger: finger) }
      throw TakeSyntaxError("'\(word)' is no touch; write two numbers, or up.")
    }
    let x = try scanner.number("x of finger \(finger)")
    let y = try scanner.number("y of finger \(finger)")
    return .touch(device: device, finger: finger, x: x, y: y)
  }

  private mutating func midi() throws(TakeSyntaxError) -> [UInt8] {
    var message: [UInt8] = []
    while !scanner.isAtEnd {
      let range = scanner.word()
      guard range.count == 2, let high = TakeText.hexDigit(scanner.bytes[range.lowerBound]),
        let low = TakeText.hexDigit(scanner.bytes[range.lowerBound + 1])
      else {
        throw TakeSyntaxError(
          "'\(scanner.text(range))' is no byte of MIDI; write two hexadecimal digits, as 3c.")
      }
      message.append(high << 4 | low)
    }
    if let problem = MIDIMessageShape.problem(of: message) { throw TakeSyntaxError(problem) }
    return message
  }
}
