public import Events
internal import Motion

/// Decodes a motion node into g and rad/s in the device frame. Pure; owned by one thread.
public struct MotionDecoder: ~Copyable {
  private struct Sensor: BitwiseCopyable {
    var exists = false
    var firstAxis: UInt16 = 0
    // What one unit of each axis is, in g or rad/s.
    var factor = (x: 0.0, y: 0.0, z: 0.0)
    var value = (x: Int32(0), y: Int32(0), z: Int32(0))
    var changed = false

    /// Whether the event was one of its axes.
    @_noLocks
    mutating func take(_ event: EvdevEvent) -> Bool {
      if !exists { return false }
      switch event.code &- firstAxis {
      case 0:
        changed = changed || value.x != event.value
        value.x = event.value
      case 1:
        changed = changed || value.y != event.value
        value.y = event.value
      case 2:
        changed = changed || value.z != event.value
        value.z = event.value
      default: return false
      }
      return true
    }

    var vector: Vector3 {
      @_noLocks get {
        Vector3(
          Double(value.x) * factor.x, Double(value.y) * factor.y, Double(value.z) * factor.z)
      }
    }
  }

  /// What it counts of the sensor's clock; freed by whoever made them.
  private let counters: SourceCounters
  private let stamp: EventStamp
  private let frame: MotionFrame
  private let layoutClock: MotionLayout.Clock
  private var accelerometer: Sensor
  private var gyro: Sensor
  private var clock = SensorClock()
  private var filter: ClockFilter
  // Samples of a sensor without a clock, 4 ms each: what `ClockFilter` wants of a counter.
  private var counter: Nanoseconds = 0
  private var hasTicks = false
  private var lastTicks: Int32 = 0
  private var ticks: Int32 = 0

  /// nil where the node has no motion sensor, or one whose units nobody knows (an axis without a resolution).
  public init?(
    node: EvdevNode, axes: [UInt16: AxisInfo], device: DeviceIndex, number: UInt16,
    counters: SourceCounters
  ) {
    guard let layout = MotionLayout(node: node) else { return nil }
    let accelerometer = MotionDecoder.sensor(layout.accelerometer, axes, unit: 1)
    let gyro = MotionDecoder.sensor(layout.gyro, axes, unit: .pi / 180)
    if !accelerometer.exists && !gyro.exists { return nil }
    self.init(
      layout, accelerometer, gyro, EventStamp(device: device, node: number, role: .motion),
      counters)
  }

  /// One without sensors, which decodes nothing.
  init(idle device: DeviceIndex, number: UInt16, counters: SourceCounters) {
    self.init(
      nil, Sensor(), Sensor(), EventStamp(device: device, node: number, role: .motion), counters)
  }

  private init(
    _ layout: MotionLayout?, _ accelerometer: Sensor, _ gyro: Sensor, _ stamp: EventStamp,
    _ counters: SourceCounters
  ) {
    self.counters = counters
    self.stamp = stamp
    frame = layout?.frame ?? .phone
    layoutClock = layout?.clock ?? .none
    if case .madeUp = layoutClock {
      filter = ClockFilter(.counter)
    } else {
      filter = ClockFilter(.clock)
    }
    self.accelerometer = accelerometer
    self.gyro = gyro
  }

  private static func sensor(
    _ layout: MotionLayout.Sensor?, _ axes: [UInt16: AxisInfo], unit: Double
  ) -> Sensor {
    guard let layout else { return Sensor() }
    var factors: [Double] = []
    for code in layout.firstAxis..<layout.firstAxis + 3 {
      let units = layout.unitsPerOne ?? Double(axes[code]?.resolution ?? 0)
      if units <= 0 { return Sensor() }
      factors.append(unit / units)
    }
    var sensor = Sensor()
    sensor.exists = true
    sensor.firstAxis = layout.firstAxis
    sensor.factor = (factors[0], factors[1], factors[2])
    return sensor
  }

  /// Notes what `event` says; the frame's end tells it.
  @_noLocks
  public mutating func decode(_ event: EvdevEvent) {
    if event.type == EventType.absolute {
      if !accelerometer.take(event) { _ = gyro.take(event) }
    } else if event.type == EventType.miscellaneous && event.code == MiscCode.timestamp {
      hasTicks = true
      ticks = event.value
    }
  }

  /// Keeps the values of a sensor that was just opened, and tells them with its first tick.
  ///
  /// An axis that never changes is never sent, so they must be known; but without the sensor's time they are no sample.
  mutating func waitForClock() {
    if case .none = layoutClock { return }
    accelerometer.changed = false
    gyro.changed = false
  }

  /// Adds the samples of the frame: all three axes of a vector when one of them changed or the sensor's clock went on.
  ///
  /// Returns the frame's time: as the sensor's clock has it, where there is one, on the host's clock; see `ClockFilter`.
  @_noLocks
  @discardableResult
  public mutating func endFrame(_ arrival: Nanoseconds, into buffer: EventBuffer) -> Nanoseconds {
    // Without a stamp of its own (after lost events) a frame has the last sensor time: no time has passed that is known.
    var sensorTime = clock.time
    var time = arrival
    var isNew = false
    switch layoutClock {
    case .none: break
    case .own:
      if hasTicks {
        let before = sensorTime
        sensorTime = clock.advance(ticks, hostTime: arrival)
        isNew = sensorTime != before
        if before != .none && clock.isContinuous { counters.noteAdvance(sensorTime &- before) }
        time = filter.time(
          of: sensorTime, arrival: arrival, isContinuous: clock.isContinuous)
        counters.noteClock(filter)
      } else {
        time = filter.time(withoutReadingAt: arrival)
      }
    case .madeUp:
      isNew = hasTicks && (counter == 0 || ticks != lastTicks)
      if isNew {
        counter &+= 4_000_000
        lastTicks = ticks
        time = filter.time(of: counter, arrival: arrival)
        counters.noteClock(filter)
      } else {
        time = filter.time(withoutReadingAt: arrival)
      }
    }
    hasTicks = false
    if accelerometer.exists && (accelerometer.changed || isNew) {
      accelerometer.changed = false
      // The kernel tells the reaction, Core Motion what gravity pulls.
      let v = -frame.deviceVector(accelerometer.vector)
      emit(64, v, time, sensorTime, buffer)
    }
    if gyro.exists && (gyro.changed || isNew) {
      gyro.changed = false
      emit(68, frame.deviceRate(gyro.vector), time, sensorTime, buffer)
    }
    return time
  }

  @_noLocks
  private func emit(
    _ first: UInt32, _ v: Vector3, _ time: Nanoseconds, _ sensorTime: Nanoseconds,
    _ buffer: EventBuffer
  ) {
    // Adding 0 makes −0 a 0, so that takes and displays read as one expects.
    let x = ControlID(rawValue: first)
    stamp.value(x, v.x + 0, time, sensorTime: sensorTime, into: buffer)
    let y = ControlID(rawValue: first + 1)
    stamp.value(y, v.y + 0, time, sensorTime: sensorTime, into: buffer)
    let z = ControlID(rawValue: first + 2)
    stamp.value(z, v.z + 0, time, sensorTime: sensorTime, into: buffer)
  }
}
