internal import Events
internal import Motion

/// The last values of one plugged-in device, and what is computed from them.
///
/// Controls of the language have fixed places; raw codes get theirs when they are first seen. Everything is 0 at first.
struct DeviceValues: ~Copyable {
  /// Raw codes that one device may use: a gamepad has about 30, a keyboard up to 248.
  static var rawCount: Int { @_noLocks get { 256 } }
  private static var total: Int { @_noLocks get { ControlID.languageCount + rawCount } }

  private struct Cell: BitwiseCopyable {
    var value = 0.0
    /// The frame in which the value last changed.
    var frame: UInt64 = 0

    @_noLocks init() {}
  }

  private let cells: UnsafeMutablePointer<Cell>
  /// The raw codes by place, 0 for a free one (no raw code is 0).
  private let rawCodes: UnsafeMutablePointer<UInt32>
  var estimator = GravityEstimator()
  /// Whether a motion sensor reported since the last frame end.
  var sensorReported = false
  var sensorTime = Nanoseconds.min
  var hasGyro = false

  init() {
    cells = .allocate(capacity: DeviceValues.total)
    rawCodes = .allocate(capacity: DeviceValues.rawCount)
    cells.initialize(repeating: Cell(), count: DeviceValues.total)
    rawCodes.initialize(repeating: 0, count: DeviceValues.rawCount)
  }

  func deallocate() {
    cells.deallocate()
    rawCodes.deallocate()
  }

  /// The place of `control`, or −1 when there are more raw codes than places.
  @_noLocks
  func place(_ control: ControlID) -> Int {
    let number = Int(control.rawValue)
    if number < ControlID.languageCount { return number }
    let position = rawPosition(control)
    if position < 0 { return -1 }
    rawCodes[position] = control.rawValue
    return ControlID.languageCount + position
  }

  /// Where a raw code is or may be put, or −1 when every position is another's.
  @_noLocks
  private func rawPosition(_ control: ControlID) -> Int {
    // Fibonacci hashing: the golden ratio spreads neighbouring codes over the 256 positions.
    var position = Int((control.rawValue &* 0x9E37_79B9) >> 24)
    var tries = 0
    while tries < DeviceValues.rawCount {
      if rawCodes[position] == control.rawValue || rawCodes[position] == 0 { return position }
      position = (position + 1) & (DeviceValues.rawCount - 1)
      tries += 1
    }
    return -1
  }

  /// The last value of `control`, 0 if there was none.
  subscript(control: ControlID) -> Double {
    @_noLocks get {
      let number = Int(control.rawValue)
      if number < ControlID.languageCount { return cells[number].value }
      let position = rawPosition(control)
      if position < 0 || rawCodes[position] == 0 { return 0 }
      return cells[ControlID.languageCount + position].value
    }
  }

  /// Whether the value at `place` already changed in `frame`.
  @_noLocks
  func changed(_ place: Int, in frame: UInt64) -> Bool { cells[place].frame == frame }

  /// Stores `value` and returns the one before.
  @_noLocks
  func exchange(_ place: Int, _ value: Double, frame: UInt64) -> Double {
    let old = cells[place].value
    cells[place].value = value
    cells[place].frame = frame
    return old
  }

  /// The three numbers from `first` on.
  @_noLocks
  func vector(_ first: UInt32) -> Vector3 {
    let place = Int(first)
    return Vector3(cells[place].value, cells[place + 1].value, cells[place + 2].value)
  }

  /// Everything at rest, as when the device is new.
  @_noLocks
  mutating func reset() {
    var place = 0
    while place < DeviceValues.total {
      cells[place] = Cell()
      place += 1
    }
    place = 0
    while place < DeviceValues.rawCount {
      rawCodes[place] = 0
      place += 1
    }
    estimator = GravityEstimator()
    sensorReported = false
    sensorTime = .min
    hasGyro = false
  }
}
