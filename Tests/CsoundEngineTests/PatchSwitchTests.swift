import CsoundEngine
import Events
import Testing

/// A run in which patches are handed over and switched to; if these fail, a reload is heard.
struct PatchSwitchTests {
  /// What happens before a k-cycle of 1 ms, by its number.
  private enum Step {
    case install(EnginePatch)
    case command(EngineCommand.Kind, slot: Int, value: Double = 0)
  }

  private struct Script: CommandSource {
    var steps: [Int: [Step]]
    var cycle = 0
    /// The k-cycles before which each generation was first seen to be prepared.
    var prepared: [Int: Int] = [:]

    mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool {
      for step in steps[cycle] ?? [] {
        switch step {
        case .install(let patch): queue.install(patch)
        case .command(let kind, let slot, let value):
          queue.append(EngineCommand(kind, time: limit - 1, slot: slot, value: value))
        }
      }
      if prepared[queue.preparedGeneration] == nil { prepared[queue.preparedGeneration] = cycle }
      cycle += 1
      return true
    }
  }

  // 1000 k-cycles a second, 48 frames each.
  private static let text = """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = 48
    nchnls = 1
    0dbfs = 1
    </CsInstruments>
    <CsScore>
    f 0 z
    </CsScore>
    </CsoundSynthesizer>

    """

  private func run(
    _ first: [EnginePatch.Slot], _ steps: [Int: [Step]], channels: [String], cycles: Int
  ) throws -> (values: [[Double]], script: Script, statistics: EngineStatistics) {
    var script = Script(steps: steps)
    var values = channels.map { _ in [Double]() }
    let render = OfflineRender(configuration(Self.text, slots: first), output: nil)
    _ = try render.run(&script, until: Nanoseconds(cycles) * 1_000_000) { _ in
    } probe: { probe in
      for (index, name) in channels.enumerated() { values[index].append(probe.channel(name)) }
    }
    return (values, script, render.statistics)
  }

  private func slots(_ count: Int, _ prefix: String, smoothing: Double = 0) -> [EnginePatch.Slot] {
    (0..<count).map { .channel(name: "\(prefix)\($0)", smoothing: smoothing) }
  }

  @Test(arguments: [0, 63, 64, 129])
  func aGlideGoesOnAsIfNothingHadBeenSwitched(slot: Int) throws {
    let patch = slots(130, "c", smoothing: 0.05)
    let moves: [Int: [Step]] = [
      0: [.command(.value, slot: slot, value: 0)], 2: [.command(.value, slot: slot, value: 1)],
    ]
    var switched = moves
    switched[4] = [.install(EnginePatch(generation: 2, slots: patch))]
    switched[20] = [.command(.switch, slot: 2)]
    // A value after the switch glides on too: its slot has had one before.
    switched[40] = [.command(.value, slot: slot, value: 0.5)]
    var kept = moves
    kept[40] = switched[40]
    let channel = "c\(slot)"
    let expected = try run(patch, kept, channels: [channel], cycles: 80)
    let found = try run(patch, switched, channels: [channel], cycles: 80)
    #expect(found.values == expected.values)
    #expect(found.statistics.refusedCommands == 0)
    let end = found.values[0][79]
    #expect(end > 0.5 && end < 1)
  }

  @Test func aSlotOfAnotherChannelBeginsAnew() throws {
    let result = try run(
      slots(3, "old", smoothing: 10),
      [
        0: [.command(.value, slot: 1, value: 1)], 1: [.command(.value, slot: 1, value: 0)],
        2: [.install(EnginePatch(generation: 2, slots: slots(3, "new", smoothing: 10)))],
        5: [.command(.switch, slot: 2), .command(.value, slot: 1, value: 7)],
      ], channels: ["old1", "new1"], cycles: 8)
    #expect(
      result.values[1] == [0, 0, 0, 0, 0, 7, 7, 7], "the first value of a channel is there at once")
    let old = result.values[0]
    #expect(old[4] < 1 && old[4] > 0.99)
    #expect(old[7] == old[4], "nothing moves a channel that the new patch has no line for")
  }

  @Test func aPatchThatWasSkippedHandsNothingOn() throws {
    let same = slots(2, "c", smoothing: 10)
    let result = try run(
      same,
      [
        0: [.command(.value, slot: 0, value: 1)],
        1: [
          .install(EnginePatch(generation: 2, slots: slots(2, "d"))),
          .install(EnginePatch(generation: 3, slots: same)),
        ],
        3: [.command(.switch, slot: 3), .command(.value, slot: 0, value: 0)],
      ], channels: ["c0"], cycles: 6)
    #expect(result.values[0][2] == 1)
    #expect(result.values[0][5] > 0.99 && result.values[0][5] < 1, "it glides from what it was")
    #expect(result.statistics.refusedCommands == 0)
  }

  @Test func namesOfALargePatchAreLookedUpAFewInEachCycle() throws {
    let result = try run(
      slots(1, "c"),
      [
        1: [.install(EnginePatch(generation: 2, slots: slots(4800, "new")))],
        60: [.command(.switch, slot: 2), .command(.value, slot: 4799, value: 3)],
      ], channels: ["new4799"], cycles: 62)
    #expect(result.script.prepared[1] == 0)
    // Two names a frame: 96 in each k-cycle, the first of them in k-cycle 1.
    #expect(result.script.prepared[2] == 51)
    #expect(result.values[0].suffix(2) == [3, 3])
  }

  @Test func aSwitchThatComesTooEarlyPlaysAllTheSame() throws {
    let result = try run(
      slots(1, "c"),
      [
        1: [
          .install(EnginePatch(generation: 2, slots: slots(4800, "new"))),
          .command(.switch, slot: 2), .command(.value, slot: 4799, value: 3),
        ]
      ], channels: ["new4799"], cycles: 3)
    #expect(result.values[0] == [0, 3, 3])
  }

  @Test func allFirstValuesOfALargePatchAreThereInItsFirstCycle() throws {
    let count = 10_000
    var steps: [Int: [Step]] = [
      1: [.install(EnginePatch(generation: 2, slots: slots(count, "new")))]
    ]
    // 96 names in each k-cycle: prepared after 105.
    steps[120] =
      [.command(.switch, slot: 2)]
      + (0..<count).map { .command(.value, slot: $0, value: Double($0) + 0.5) }
    let looked = [0, 1, 63, 64, 4999, 9998, 9999]
    let result = try run(
      slots(3, "old"), steps, channels: looked.map { "new\($0)" }, cycles: 122)
    #expect(result.script.prepared[2] ?? .max < 120)
    for (index, slot) in looked.enumerated() {
      #expect(result.values[index][119] == 0)
      #expect(result.values[index][120] == Double(slot) + 0.5)
    }
    #expect(result.statistics.refusedCommands == 0)
  }

  @Test func aValueEndsAGlideWhoseSmoothingWasTakenAway() throws {
    let result = try run(
      slots(1, "c", smoothing: 10),
      [
        0: [.command(.value, slot: 0, value: 0)], 1: [.command(.value, slot: 0, value: 1)],
        2: [.install(EnginePatch(generation: 2, slots: slots(1, "c")))],
        5: [.command(.switch, slot: 2), .command(.value, slot: 0, value: 7)],
      ], channels: ["c0"], cycles: 9)
    #expect(result.values[0][4] > 0 && result.values[0][4] < 0.01)
    #expect(result.values[0].suffix(4) == [7, 7, 7, 7], "nothing pulls it back to where it glided")
  }
}
