import Events
import Mapping
import Testing

/// If these fail, a large mapping plays the wrong lines.
struct ManyRoutesTests {
  private static let count = 10_000

  @Test func tenThousandLinesOnOneControlAllPlay() {
    let player = Player(
      MappingDescription(
        (0..<Self.count).map { line("left.x", to: [.channel("c\($0)")], name: "r\($0)") }),
      capacity: 16384)
    player.plug()
    player.frame([(.leftX, 0.5)])
    let words = player.taken()
    #expect(words.count == Self.count)
    #expect(words.first == "c0 0.5")
    #expect(words.last == "c9999 0.5")
  }

  @Test func oneLineAmongTenThousandPlaysAlone() {
    var routes = (0..<Self.count).map {
      RouteDescription(
        identity: "r\($0)", device: 0, control: .raw(.pad, type: 1, code: UInt16($0)),
        range: .unipolar, targets: [.channel("c\($0)")])
    }
    routes.append(line("left.x", to: [.channel("x")]))
    let player = Player(MappingDescription(routes))
    player.plug()
    player.frame([(.leftX, 0.5), (.raw(.pad, type: 1, code: 1234), 1), (.leftY, 0.5)])
    #expect(player.taken() == ["x 0.5", "c1234 1"])
  }

  @Test func tenThousandLinesSurviveAReload() {
    func mapping(from first: Int) -> MappingDescription {
      MappingDescription(
        (first..<first + Self.count).map {
          line("south", to: [.note(instrument: "\($0)")], name: "r\($0)")
        })
    }
    let player = Player(mapping(from: 0), capacity: 32768)
    player.plug()
    player.frame([(.south, 1)])
    _ = player.taken()
    player.reload(mapping(from: Self.count / 2))
    // The lower half is gone; the upper half is held by the same slots.
    let ended = player.taken()
    #expect(ended.count == Self.count / 2 + 1)
    player.frame([(.south, 0)])
    let released = player.taken()
    #expect(released.count == Self.count / 2)
    #expect(released.first == "note 5000 off 60")
  }
}
