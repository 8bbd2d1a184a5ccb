import CsoundEngine
import Events
import Testing

/// Commands that arrive late: each is there from its own moment on, in the order of the stream.
private struct LateSource: CommandSource {
  var commands: [(command: EngineCommand, arrival: Nanoseconds)]
  var next = 0

  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool {
    while next < commands.count && commands[next].arrival < limit {
      queue.append(commands[next].command)
      next += 1
    }
    return next < commands.count
  }
}

/// SplitMix64: the same streams in every run.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// If one of these fails, notes are cut short when the input is late, or hang.
@Suite struct NoteLengthTests {
  private static let cycle: Nanoseconds = 666_667

  // Each note has a velocity of its own, which names the channels that it counts in.
  private func orchestra(_ options: String) -> String {
    csd(
      """
      instr Count
       Slength sprintf "length%d", p5
       Sstart sprintf "start%d", p5
       Sstarts sprintf "starts%d", p5
       iStarts chnget Sstarts
       chnset iStarts + 1, Sstarts
       iNow chnget "cycle"
       chnset iNow, Sstart
       kLength init 0
       kLength += 1
       chnset kLength, Slength
       kAll chnget "sounding"
       chnset kAll + 1, "sounding"
      endin
      instr 1
       kCycle init 0
       kCycle += 1
       chnset kCycle, "cycle"
       chnset k(0), "sounding"
      endin
      schedule 1, 0, 3600
      """, options: options)
  }

  private struct Stream {
    var commands: [(command: EngineCommand, arrival: Nanoseconds)] = []
    var notes = 0
  }

  /// A player with four keys, who is now and then too quick for the machine; each key is let go at the end.
  private func stream(_ seed: UInt64, delay: Nanoseconds, disorder: Nanoseconds) -> Stream {
    var generator = Generator(state: seed)
    var result = Stream()
    var time: Nanoseconds = 5_000_000
    var arrival: Nanoseconds = 0
    func push(_ kind: EngineCommand.Kind, key: Int) {
      // A sensor's clock that is being corrected can make a later event a little earlier.
      let stamp =
        time - (disorder > 0 ? Nanoseconds.random(in: 0...disorder, using: &generator) : 0)
      if kind == .noteOn { result.notes += 1 }
      let isLate = Int.random(in: 0..<4, using: &generator) == 0
      let late = isLate ? Nanoseconds.random(in: 0...max(delay, 1), using: &generator) : 0
      arrival = max(arrival, time + late)
      let command = EngineCommand(
        kind, time: stamp, slot: 0, value: Double(result.notes), key: Double(key))
      result.commands.append((command, arrival))
    }
    for _ in 0..<300 {
      time += Nanoseconds.random(in: 0...3_000_000, using: &generator)
      let key = Int.random(in: 0..<4, using: &generator)
      switch Int.random(in: 0..<50, using: &generator) {
      case 0: push(.panic, key: 0)
      case 1..<25: push(.noteOn, key: key)
      default: push(.noteOff, key: key)
      }
    }
    time += 1_000_000
    for key in 0..<4 { push(.noteOff, key: key) }
    return result
  }

  /// What a note was meant to be: how long, and how late the command that ended it may have come.
  private struct Intention {
    var start: Nanoseconds
    var end: Nanoseconds?
    var endArrival: Nanoseconds = 0
  }

  private func intentions(_ stream: Stream) -> [Intention] {
    var notes: [Intention] = []
    var held: [Double: Int] = [:]
    func end(_ key: Double, _ item: (command: EngineCommand, arrival: Nanoseconds)) {
      guard let number = held.removeValue(forKey: key) else { return }
      notes[number].end = item.command.time
      notes[number].endArrival = item.arrival
    }
    for item in stream.commands {
      switch item.command.kind {
      case .noteOn:
        end(item.command.key, item)
        held[item.command.key] = notes.count
        notes.append(Intention(start: item.command.time))
      case .noteOff: end(item.command.key, item)
      case .panic: for key in Array(held.keys) { end(key, item) }
      case .value, .switch: break
      }
    }
    return notes
  }

  @Test(
    arguments: [0, 1_000_000, 20_000_000] as [Nanoseconds], ["", "--sample-accurate"])
  func everyNoteLastsAsLongAsItWasHeld(delay: Nanoseconds, options: String) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let stream = stream(seed, delay: delay, disorder: 0)
      let last = try #require(stream.commands.last)
      var source = LateSource(commands: stream.commands)
      var seen: [(starts: Double, start: Double, length: Double)] = []
      var sounding = -1.0
      let end = last.arrival + 60_000_000
      let render = OfflineRender(
        configuration(orchestra(options), slots: [.note(instrument: "Count")]), output: nil)
      let lastCycle = end / Self.cycle - 1
      _ = try render.run(&source, until: end) { _ in
      } probe: { probe in
        if probe.cycle != lastCycle { return }
        sounding = probe.channel("sounding")
        seen = (1...stream.notes).map {
          (
            probe.channel("starts\($0)"), probe.channel("start\($0)"), probe.channel("length\($0)")
          )
        }
      }
      #expect(sounding == 0)
      #expect(render.statistics.heldNotes == 0)
      let intended = intentions(stream)
      let panics = stream.commands.compactMap { item in
        if case .panic = item.command.kind { item.command.time } else { nil }
      }
      #expect(seen.count == intended.count)
      for (number, (note, meant)) in zip(seen, intended).enumerated() {
        let place = "note \(number + 1), seed \(seed)"
        #expect(note.starts == 1, "\(place)")
        let noteEnd = try #require(meant.end)
        let length = noteEnd - meant.start
        let sounded = Nanoseconds(note.length) * Self.cycle
        // A panic also ends what was put off.
        let isCut = panics.contains { $0 >= meant.start && $0 <= noteEnd + delay + Self.cycle }
        if !isCut {
          #expect(sounded >= length - Self.cycle, "\(place): \(length) ns sounded \(sounded)")
        }
        // Never before its time, and over soon after its end could be known, or was put off to.
        #expect(note.start >= Double(meant.start / Self.cycle), "\(place)")
        let over = Nanoseconds(note.start + note.length) * Self.cycle
        let latest = max(meant.endArrival, noteEnd + delay)
        #expect(over <= latest + 4 * Self.cycle, "\(place): over at \(over), end \(latest)")
      }
    }
  }

  /// Stamps that are not in order, as a sensor's corrected clock makes them, must not leave a note sounding.
  @Test func nothingHangsWhereTimeGoesBack() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let stream = stream(seed, delay: 5_000_000, disorder: 4_000_000)
      let last = try #require(stream.commands.last)
      var source = LateSource(commands: stream.commands)
      var sounding = -1.0
      let render = OfflineRender(
        configuration(orchestra(""), slots: [.note(instrument: "Count")]), output: nil)
      _ = try render.run(&source, until: last.arrival + 60_000_000) { _ in
      } probe: {
        sounding = $0.channel("sounding")
      }
      #expect(sounding == 0, "seed \(seed)")
      #expect(render.statistics.heldNotes == 0, "seed \(seed)")
    }
  }
}
