import Events
import Testing

@testable import CsoundEngine

/// If these fail, a large reload makes Csound rebuild its table of channels in the middle of the music.
struct ChannelRoomTests {
  /// Whether a table of Csound's moves while `count` channels are added to `existing` ones: it begins with 8192 places
  /// and doubles when three quarters of them are taken.
  private func moves(adding count: Int, to existing: Int) -> Bool {
    var places = 8192
    while existing * 4 > places * 3 { places *= 2 }
    return (existing + count) * 4 > places * 3
  }

  @Test func smallMappingsTakeNoMemory() {
    #expect(ChannelRoom.placeholders(existing: 20, spare: 1044) == 0)
    #expect(ChannelRoom.placeholders(existing: 3000, spare: 3144) == 0)
  }

  @Test func roomIsWhatWasAskedFor() {
    // 6145 make the table grow, to room for 12 288.
    #expect(ChannelRoom.placeholders(existing: 3000, spare: 3145) == 3145)
    // 12 289 make it grow to 24 576; fewer would leave 2288.
    #expect(ChannelRoom.placeholders(existing: 10_000, spare: 11_024) == 2289)
    #expect(ChannelRoom.placeholders(existing: 100_000, spare: 101_024) == 96_609)
    // Already so large: 98 305 have made it grow to 196 608.
    #expect(ChannelRoom.placeholders(existing: 98_400, spare: 98_000) == 0)
  }

  @Test(arguments: [0, 1, 100, 6143, 6144, 6145, 12_288, 12_289, 50_000, 98_304, 98_305])
  func theTableNeverMovesWhileTheSpareChannelsCome(existing: Int) {
    for spare in [1, 1000, 6144, 10_000, 100_000] {
      let added = ChannelRoom.placeholders(existing: existing, spare: spare)
      #expect(!moves(adding: spare, to: existing + added), "\(spare) to \(existing)")
      #expect(added < 2 * (existing + spare))
    }
  }

  @Test func roomChangesNothingThatIsHeard() throws {
    var reports: [String] = []
    var values: [Double] = []
    var settings = configuration(
      csd("", score: "f 0 z"), slots: [.channel(name: "c", smoothing: 0)])
    settings.spareChannels = 20_000
    var source = ListSource([EngineCommand(.value, time: 0, slot: 0, value: 3)])
    let render = OfflineRender(settings, output: nil)
    _ = try render.run(&source, until: 10_000_000) {
      reports.append($0.text)
    } probe: {
      values.append($0.channel("c"))
    }
    #expect(values.last == 3)
    #expect(render.statistics.refusedCommands == 0)
    #expect(!reports.contains { $0.contains("spare") })
  }
}
