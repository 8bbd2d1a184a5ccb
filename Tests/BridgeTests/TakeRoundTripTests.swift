import Bridge
import Events
import LinuxIO
import Testing

/// If these fail, a recording loses or changes something, or a broken file takes the program down.
@Suite struct TakeRoundTripTests {
  /// How often repeated things run: a hundredth of SONDE_REPEAT_PERCENT, a tenth by default.
  static func repeats(_ full: Int) -> Int {
    let percent = environmentVariable("SONDE_REPEAT_PERCENT").flatMap { Int($0) } ?? 10
    return max(1, full * percent / 100)
  }

  // MARK: Reader(writer(x)) == x

  /// A recording: what devices are, and the frames, MIDI messages and hands on widgets in order.
  struct Recording {
    var descriptions: [DeviceDescription] = []
    var items: [TakeReader.Item] = []
  }

  static func anyRecording(_ random: inout Random) -> Recording {
    var recording = Recording()
    let kinds: [DeviceDescription.Kind] = [.gamepad, .imu, .midi, .evdev]
    let count = random.below(4) + 1
    for number in 0..<count {
      recording.descriptions.append(
        DeviceDescription(
          kind: kinds[random.below(4)], name: random.text(), model: random.flag() ? "m1" : nil,
          vendor: random.flag() ? UInt16(random.below(65536)) : nil,
          product: random.flag() ? UInt16(random.below(65536)) : nil,
          uniq: "u\(number)", serial: random.flag() ? random.text() : "", path: random.text(),
          controls: ["left", "gyro"]))
    }
    var time: Nanoseconds = 0
    var isPlugged = [Bool](repeating: false, count: count)
    var fingers = [Set<Int>](repeating: [], count: count)
    var known = [Bool](repeating: false, count: count)
    for _ in 0..<random.below(60) {
      time += random.flag() ? 1000 * Nanoseconds(random.below(5_000_000) + 1) : 1
      let number = random.below(count)
      let device = DeviceIndex(number)
      if random.below(10) == 0 {
        let value = random.number()
        recording.items.append(.widget(time: time, name: random.text() + "w", value: value))
        continue
      }
      if !isPlugged[number] {
        isPlugged[number] = true
        let description = recording.descriptions[number]
        if !known[number] {
          known[number] = true
          recording.items.append(.device(device, name: "", description))
        }
        var events = [ControlEvent(.plugged, time: time, device: device)]
        if random.flag() { events += values(&random, time, device, &fingers[number]) }
        recording.items.append(.frame(events + [end(time, device)]))
        continue
      }
      switch random.below(12) {
      case 0:
        isPlugged[number] = false
        fingers[number] = []
        recording.items.append(
          .frame([ControlEvent(.unplugged, time: time, device: device), end(time, device)]))
      case 1:
        let lost = ControlEvent(.lost, time: time, device: device)
        let events = values(&random, time, device, &fingers[number])
        recording.items.append(.frame([lost] + events + [end(time, device)]))
      case 2: recording.items.append(.midi(time: time, device, random.midi()))
      default:
        let events = values(&random, time, device, &fingers[number])
        // A frame without values says nothing, and is not written.
        if events.isEmpty { continue }
        recording.items.append(.frame(events + [end(time, device)]))
      }
    }
    return recording
  }

  static func end(_ time: Nanoseconds, _ device: DeviceIndex) -> ControlEvent {
    ControlEvent(.frameEnd, time: time, device: device)
  }

  /// Some controls of one frame, each once: whole vectors, parts of them, touches, raw codes.
  static func values(
    _ random: inout Random, _ time: Nanoseconds, _ device: DeviceIndex, _ fingers: inout Set<Int>
  ) -> [ControlEvent] {
    var events: [ControlEvent] = []
    var used: Set<ControlID> = []
    func add(_ control: ControlID, _ value: Double, _ sensorTime: Nanoseconds = .none) {
      guard used.insert(control).inserted else { return }
      events.append(
        ControlEvent(
          .value, time: time, device: device, control: control, value: value,
          sensorTime: sensorTime))
    }
    let sensorTime = random.flag() ? Nanoseconds(random.below(1 << 40)) : .none
    for _ in 0...random.below(5) {
      switch random.below(6) {
      case 0:
        for offset in 0..<3 { add(.accelerometerX.offset(by: offset), random.number(), sensorTime) }
      case 1: for offset in 0..<3 { add(.gyroX.offset(by: offset), random.number(), sensorTime) }
      case 2: for offset in 0..<4 { add(.quaternionW.offset(by: offset), random.number()) }
      case 3:
        let finger = random.below(10)
        let touch = ControlID.touchX(finger)
        if random.flag() {
          add(touch, random.number())
          add(touch.offset(by: 1), random.number())
        }
        if random.flag(), used.insert(touch.offset(by: 2)).inserted {
          used.remove(touch.offset(by: 2))
          let isDown = !fingers.contains(finger)
          add(touch.offset(by: 2), isDown ? 1 : 0)
          if isDown { fingers.insert(finger) } else { fingers.remove(finger) }
        }
      case 4:
        let node = ControlID.Node(rawValue: UInt32(random.below(3))) ?? .pad
        add(.raw(node, type: 3, code: UInt16(random.below(64))), random.number())
      default:
        add(Control.all[random.below(Control.all.count)].id, random.number(), sensorTime)
      }
    }
    // A `.down` that the table gave by chance changes which fingers are down.
    for event in events {
      for finger in 0..<10 where event.control == ControlID.touchX(finger).offset(by: 2) {
        if event.value != 0 { fingers.insert(finger) } else { fingers.remove(finger) }
      }
    }
    return events
  }

  /// What order cannot tell within a frame, sorted; names of devices left out.
  static func normal(_ items: [TakeReader.Item]) -> [TakeReader.Item] {
    items.map { item in
      switch item {
      case .frame(let events):
        .frame(
          events.sorted {
            ($0.kind == .value ? 1 : $0.kind == .frameEnd ? 2 : 0, $0.control.rawValue)
              < ($1.kind == .value ? 1 : $1.kind == .frameEnd ? 2 : 0, $1.control.rawValue)
          })
      case .device(let index, _, let description): .device(index, name: "", description)
      default: item
      }
    }
  }

  @Test func whatIsWrittenIsReadBack() throws {
    for seed in 0..<Self.repeats(4_000) {
      var random = Random(state: UInt64(seed))
      let recording = Self.anyRecording(&random)
      let sink = MemorySink()
      let writer = TakeWriter(sink, start: 0)
      // The reader numbers devices as they appear.
      var numbers: [DeviceIndex: DeviceIndex] = [:]
      var expected: [TakeReader.Item] = []
      func renumbered(_ device: DeviceIndex) -> DeviceIndex { numbers[device] ?? device }
      for item in recording.items {
        switch item {
        case .device(let device, _, let description):
          numbers[device] = DeviceIndex(numbers.count)
          writer.declare(device, description)
          expected.append(.device(renumbered(device), name: "", description))
        case .frame(let events):
          for event in events { writer.append(event) }
          expected.append(
            .frame(
              events.map { event in
                var event = event
                event.device = renumbered(event.device)
                return event
              }))
        case .midi(let time, let device, let message):
          writer.appendMIDI(message, device: device, time: time)
          expected.append(.midi(time: time, renumbered(device), message))
        case .widget(let time, let name, let value):
          writer.appendWidget(name, value, time: time)
          expected.append(item)
        default: break
        }
        if random.below(5) == 0 { try writer.flush(now: 1_000_000) }
      }
      try writer.finish()
      #expect(writer.skippedCount == 0)
      let found = Self.normal(
        try TakeReaderTests.items(sink.text, pieceSize: random.below(100) + 1))
      let wanted = Self.normal(expected)
      guard found == wanted else {
        for (a, b) in zip(found, wanted) where a != b {
          Issue.record("seed \(seed): read \(a), wrote \(b)\n\(sink.text)")
          return
        }
        Issue.record("seed \(seed): \(found.count) items read, \(wanted.count) written")
        return
      }
    }
  }

  // MARK: Fuzzing

  @Test func noTakeCrashesTheReader() throws {
    let source = Array(TakeReaderTests.everything.utf8)
    let words = [
      "nan", "inf", "-", "1e999", "\"", "\\", "\\x", "@", "#", "=", "plugged", "unplugged", "lost",
      "device", "axis", "calibration", "widget", "raw", "midi", "touch", "9", "-1", "\n", "\r\n",
      "\u{0}", "sonde-take 1", "18446744073709551616", "f0", "f7", " ",
    ].map { Array($0.utf8) }
    var outcomes = (read: 0, refused: 0)
    for seed in 0..<Self.repeats(20_000) {
      var random = Random(state: UInt64(seed) ^ 0xABCD)
      var bytes = source
      if random.below(20) == 0 {
        bytes = (0..<random.below(300)).map { _ in UInt8(random.below(256)) }
        if random.flag() { bytes = Array("sonde-take 1\n".utf8) + bytes }
      } else {
        for _ in 0...random.below(6) where !bytes.isEmpty {
          let place = random.below(bytes.count)
          switch random.below(5) {
          case 0: bytes[place] = UInt8(random.below(256))
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
          case 3: bytes.removeLast(bytes.count - place)
          default:
            let length = min(random.below(80), bytes.count - place)
            bytes.insert(contentsOf: bytes[place..<place + length], at: random.below(bytes.count))
          }
        }
      }
      let reader = TakeReader(MemorySource(bytes, pieceSize: random.below(400) + 1), name: "fuzz")
      var last: Nanoseconds = 0
      do {
        while let item = try reader.next() {
          guard case .frame(let events) = item else { continue }
          #expect(events.count >= 2 && events.last?.kind == .frameEnd)
          #expect(events.allSatisfy { $0.value.isFinite && $0.time == events[0].time })
          #expect(events[0].time >= last)
          last = events[0].time
        }
        outcomes.read += 1
      } catch {
        #expect(error.line >= 0 && !error.message.isEmpty)
        outcomes.refused += 1
      }
    }
    // Both ends of the reader were reached, or the mutations show nothing.
    #expect(outcomes.read > 0 && outcomes.refused > 0)
  }

  @Test func noOrderOfCallsMakesTheWriterWriteWhatTheReaderRefuses() throws {
    for seed in 0..<Self.repeats(4_000) {
      var random = Random(state: UInt64(seed) ^ 0x1234)
      let sink = MemorySink()
      let writer = TakeWriter(sink, start: Nanoseconds(random.below(1000)))
      for _ in 0..<random.below(80) {
        let device = DeviceIndex(random.below(3))
        let time = Nanoseconds(random.below(3000))
        switch random.below(8) {
        case 0:
          let description = DeviceDescription(
            kind: .gamepad, name: random.flag() ? "a" : "b", uniq: random.flag() ? "u" : "",
            controls: ["left"])
          writer.declare(device, description)
        case 1: try writer.flush(now: time)
        case 2: writer.appendMIDI(random.midi(), device: device, time: time)
        case 3: writer.appendWidget(random.text(), random.number(), time: time)
        default:
          let kinds: [ControlEvent.Kind] = [
            .value, .value, .value, .frameEnd, .frameEnd, .lost, .plugged, .unplugged, .raw,
            .widget,
          ]
          let control = Control.all[random.below(Control.all.count)].id
          writer.append(
            ControlEvent(
              kinds[random.below(kinds.count)], time: time, device: device, control: control,
              value: random.below(9) == 0 ? .nan : random.number(),
              sensorTime: random.flag() ? .none : Nanoseconds(random.below(2000)) - 1000))
        }
      }
      try writer.finish()
      do {
        _ = try TakeReaderTests.items(sink.text)
      } catch {
        Issue.record("seed \(seed): \(error)\n\(sink.text)")
        return
      }
    }
  }

  /// A small seeded generator, so that a failure comes again with its seed (Steele et al., SplitMix64).
  struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func flag() -> Bool { next() & 1 == 1 }

    /// Any finite number, simple ones more often.
    mutating func number() -> Double {
      switch below(4) {
      case 0: return Double(below(5) - 2)
      case 1: return Double(below(2001) - 1000) / 1000
      default:
        let any = Double(bitPattern: next())
        return any.isFinite ? any : -0.0
      }
    }

    mutating func text() -> String {
      let parts = ["a", "Z9", " ", "\"", "\\", "\\x41", "é", "🎛", "\n", "#", "=", "\u{1}", "'"]
      return (0..<below(6)).map { _ in parts[below(parts.count)] }.joined()
    }

    mutating func midi() -> [UInt8] {
      let data = { (random: inout Random) in UInt8(random.below(128)) }
      switch below(4) {
      case 0: return [0x90 | UInt8(below(16)), data(&self), data(&self)]
      case 1: return [0xC0 | UInt8(below(16)), data(&self)]
      case 2: return [0xF8]
      default: return [0xF0] + (0..<below(40)).map { _ in data(&self) } + [0xF7]
      }
    }
  }
}
