import CsoundEngine
import Events
import Testing

/// If one of these fails, a rendered take does not sound like the performance.
@Suite struct OfflineChannelTests {
  private let mirror = csd(
    "instr 1\n k1 chnget \"in\"\n chnset k1, \"out\"\nendin\nschedule 1, 0, 3600")

  /// k-cycle 3 of 32 frames at 48 kHz holds frames 96…127: times 2 000 000 ns up to 2 666 666 ns.
  @Test(arguments: [
    (2_000_000, 3), (1_999_999, 2), (2_666_666, 3), (2_666_667, 4), (0, 0),
  ])
  func valueArrivesInTheCycleThatContainsItsTime(time: Int, cycle: Int) throws {
    let values = try channelValues(
      "out", configuration(mirror, slots: [.channel(name: "in", smoothing: 0)]),
      [EngineCommand(.value, time: Nanoseconds(time), slot: 0, value: 0.75)], until: 5_000_000)
    #expect(values.count == 8)
    #expect(values.firstIndex(of: 0.75) == cycle)
    #expect(values[cycle...].allSatisfy { $0 == 0.75 })
  }

  @Test func valuesOfOneCycleKeepTheirOrder() throws {
    let values = try channelValues(
      "out", configuration(mirror, slots: [.channel(name: "in", smoothing: 0)]),
      [
        EngineCommand(.value, time: 10, slot: 0, value: 1),
        EngineCommand(.value, time: 10, slot: 0, value: 2),
        EngineCommand(.value, time: 700_000, slot: 0, value: 3),
      ], until: 2_000_000)
    #expect(values == [2, 3, 3])
  }

  /// 48 k-cycles of 32 frames at 48 kHz are 32 ms: the time constant, after which 63.2 % of the way is made.
  @Test func smoothingMakes63PercentInItsTime() throws {
    let values = try channelValues(
      "in", configuration(mirror, slots: [.channel(name: "in", smoothing: 0.032)]),
      [
        EngineCommand(.value, time: 0, slot: 0, value: 1),
        EngineCommand(.value, time: 2_000_000, slot: 0, value: 2),
      ], until: 600_000_000)
    #expect(values[0] == 1, "the first value since the start arrives at once")
    #expect(values[2] == 1)
    #expect(values[3] > 1 && values[3] < 1.05)
    #expect(abs(values[3 + 47] - (1 + 0.632_120_558_8)) < 1e-6)
    #expect(values.last == 2, "it arrives in the end")
  }

  @Test func whatIsNotANumberNeverReachesAChannel() throws {
    var heard: [EngineMessage] = []
    var source = ListSource([
      EngineCommand(.value, time: 0, slot: 0, value: 5),
      EngineCommand(.value, time: 1_000_000, slot: 0, value: .nan),
      EngineCommand(.value, time: 2_000_000, slot: 0, value: .infinity),
      EngineCommand(.value, time: 2_000_000, slot: 7, value: 1),
    ])
    let render = OfflineRender(
      configuration(mirror, slots: [.channel(name: "in", smoothing: 0)]), output: nil)
    var last = 0.0
    _ = try render.run(&source, until: 5_000_000) {
      heard.append($0)
    } probe: {
      last = $0.channel("out")
    }
    #expect(last == 5)
    #expect(render.statistics.refusedCommands == 3)
    #expect(heard.filter { $0.kind == .notice && $0.text.contains("not a number") }.count == 1)
  }

  @Test func initialValuesAreThereInTheHeaderAndTheFirstCycle() throws {
    let text = csd(
      """
      gi chnget "cutoff"
      chn_k "cutoff", 3, 2, 100, 0, 1000
      instr 1
       chnset k(gi), "header"
       k1 chnget "cutoff"
       chnset k1, "out"
      endin
      schedule 1, 0, 3600
      """)
    var given = configuration(text)
    given.patch.initialValues = [(channel: "cutoff", value: 440)]
    #expect(try channelValues("out", given, [], until: 1_000_000) == [440, 440])
    #expect(try channelValues("header", given, [], until: 1_000_000) == [440, 440])
  }

  @Test func aChannelOfAnotherTypeIsNamed() throws {
    let text = csd("chn_S \"name\", 3\ninstr 1\nendin")
    var heard: [EngineMessage] = []
    var source = ListSource([EngineCommand(.value, time: 0, slot: 0, value: 1)])
    let render = OfflineRender(
      configuration(text, slots: [.channel(name: "name", smoothing: 0)]), output: nil)
    _ = try render.run(&source, until: 1_000_000) { heard.append($0) }
    #expect(heard.contains { $0.kind == .notice && $0.text.contains("channel name") })
    #expect(render.statistics.refusedCommands == 1)
  }

  @Test func accountSaysWhenEachCommandWasApplied() throws {
    var given = configuration(mirror, slots: [.channel(name: "in", smoothing: 0)])
    given.accountCapacity = 10
    var source = ListSource([EngineCommand(.value, time: 3_000_000, slot: 0, value: 1)])
    let render = OfflineRender(given, output: nil)
    _ = try render.run(&source, until: 5_000_000)
    #expect(render.account.count == 1)
    // 3 ms are 144 frames, in the k-cycle from 128 on.
    #expect(render.account.first?.frame == 128)
    #expect(render.account.first?.time == 3_000_000)
  }
}
