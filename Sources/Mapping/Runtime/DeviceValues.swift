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
    var frame: UInt32 = 0
    /// The raw code that has this place, 0 for a free one (no raw code is 0).
    var code: UInt32 = 0

    @_noLocks init() {}
  }

  private let cells: UnsafeMutablePointer<Cell>
  var estimator = GravityEstimator()
  /// Whether a motion sensor reported since the last frame end.
  var sensorReported = false
  var sensorTime = Nanoseconds.min
  var hasGyro = false

  init() {
    cells = .allocate(capacity: DeviceValues.total)
    cells.initialize(repeating: Cell(), count: DeviceValues.total)
  }

  func deallocate() {
    cells.deallocate()
  }

  /// The place of `control`, or −1 when there are more raw codes than places.
  @_noLocks
  func place(_ control: ControlID) -> Int {
    let number = Int(control.rawValue)
    if number < ControlID.languageCount { return number }
    let position = rawPosition(control)
    if position < 0 { return -1 }
    cells[position].code = control.rawValue
    return position
  }

  /// The place where a raw code is or may be put, or −1 when every one is another's.
  @_noLocks
  private func rawPosition(_ control: ControlID) -> Int {
    // Fibonacci hashing: the golden ratio spreads neighbouring codes over the 256 positions.
    var position = Int((control.rawValue &* 0x9E37_79B9) >> 24)
    var tries = 0
    while tries < DeviceValues.rawCount {
      let place = ControlID.languageCount + position
      let code = cells[place].code
      if code == control.rawValue || code == 0 { return place }
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
      return position < 0 ? 0 : cells[position].value
    }
  }

  /// Whether the value at `place` already changed in `frame`.
  @_noLocks
  func changed(_ place: Int, in frame: UInt32) -> Bool { cells[place].frame == frame }

  /// Stores `value` and returns the one before.
  @_noLocks
  func exchange(_ place: Int, _ value: Double, frame: UInt32) -> Double {
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
    estimator = GravityEstimator()
    sensorReported = false
    sensorTime = .min
    hasGyro = false
  }
}
