import EvdevInput
import Events

/// What the kernel's driver tells of a DualSense in busy hands, as events of its pad and of its motion node.
///
/// All axes move in every frame; a button is pressed or released in every eighth. Drivers/hid/hid-playstation.c
enum DualSenseStream {
  static let pad = EvdevNode(
    name: "DualSense", vendor: 0x054c, product: 0x0ce6, driver: "playstation",
    keys: CodeSet([0x130, 0x131, 0x133, 0x134] + Array(0x136...0x13e)),
    axes: [0, 1, 2, 3, 4, 5, 16, 17])
  static let motion = EvdevNode(
    name: "DualSense Motion Sensors", vendor: 0x054c, product: 0x0ce6, driver: "playstation",
    properties: [6], axes: [0, 1, 2, 3, 4, 5], miscellaneous: [5])

  static var padAxes: [UInt16: AxisInfo] {
    var axes: [UInt16: AxisInfo] = [:]
    for code in [UInt16](0...5) { axes[code] = AxisInfo(value: 128, minimum: 0, maximum: 255) }
    for code in [UInt16](16...17) { axes[code] = AxisInfo(minimum: -1, maximum: 1) }
    return axes
  }

  static var motionAxes: [UInt16: AxisInfo] {
    var axes: [UInt16: AxisInfo] = [:]
    for code in [UInt16](0...2) {
      axes[code] = AxisInfo(minimum: -32768, maximum: 32768, resolution: 8192)
    }
    for code in [UInt16](3...5) {
      axes[code] = AxisInfo(minimum: -2_097_152, maximum: 2_097_152, resolution: 1024)
    }
    return axes
  }

  /// A report every 4 ms, as over USB.
  static let period: Nanoseconds = 4_000_000

  /// The pad's node: sticks, triggers, now and then a button.
  static func padEvents(frames: Int) -> [EvdevEvent] {
    var random = NoiseSource()
    var events: [EvdevEvent] = []
    let buttons: [UInt16] = [0x130, 0x131, 0x133, 0x134]
    for frame in 0..<frames {
      let time = Int64(frame + 1) * period
      for code in UInt16(0)..<6 {
        let value = Int32(truncatingIfNeeded: random.next() >> 24 & 0xFF)
        events.append(EvdevEvent(time: time, type: 3, code: code, value: value))
      }
      if frame % 8 == 0 {
        let turn = frame / 8
        events.append(
          EvdevEvent(
            time: time, type: 1, code: buttons[turn / 2 % 4], value: turn % 2 == 0 ? 1 : 0))
      }
      events.append(EvdevEvent(time: time, type: 0, code: 0, value: 0))
    }
    return events
  }

  /// The motion node: six axes and the sensor's own clock.
  static func motionEvents(frames: Int) -> [EvdevEvent] {
    var random = NoiseSource()
    var events: [EvdevEvent] = []
    for frame in 0..<frames {
      let time = Int64(frame + 1) * period
      for code in UInt16(0)..<6 {
        let noise = Int32(truncatingIfNeeded: random.next() >> 24 & 0x3FF)
        let value = code == 1 ? 8192 + noise : noise - 512
        events.append(EvdevEvent(time: time, type: 3, code: code, value: value))
      }
      let ticks = Int32(truncatingIfNeeded: time / 1000)
      events.append(EvdevEvent(time: time, type: 4, code: 5, value: ticks))
      events.append(EvdevEvent(time: time, type: 0, code: 0, value: 0))
    }
    return events
  }
}

/// Numbers without a pattern, the same in every run (the constants are Knuth's, for a modulus of 2⁶⁴).
struct NoiseSource {
  private var state: UInt64

  init(seed: UInt64 = 1) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 32
  }

  /// A number from `low` to below `high`.
  mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
    low + Int64((next() * UInt64(high - low)) >> 32)
  }
}
