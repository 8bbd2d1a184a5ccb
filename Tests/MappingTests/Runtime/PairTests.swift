import Events
import Mapping
import Testing

/// If these fail, a radial dead zone makes a stick's two axes disagree.
struct PairTests {
  private func player() -> Player {
    let player = Player(
      MappingDescription([
        line("left.x", [.radialDeadzone(0.5, sibling: .leftY)], to: [.channel("x")]),
        line("left.y", [.radialDeadzone(0.5, sibling: .leftX)], to: [.channel("y")]),
      ]))
    player.plug()
    return player
  }

  @Test func bothAxesOfAFrameCountAtOnce() {
    let player = player()
    // Length 1: everything as it is, from the first axis on.
    player.frame([(.leftX, 0.6), (.leftY, 0.8)])
    #expect(player.taken() == ["x 0.6", "y 0.8"])
  }

  @Test func oneAxisMovesTheOther() {
    let player = player()
    player.frame([(.leftX, 0.3)])
    #expect(player.taken() == ["x 0"])
    player.frame([(.leftY, 0.4)])
    #expect(player.taken() == ["y 0"])
    // √(0.4² + 0.4²) = 0.566 is beyond the zone: both leave 0, by the same amount.
    player.frame([(.leftX, 0.4)])
    let words = player.taken()
    #expect(words.count == 2)
    #expect(words[0].dropFirst(2) == words[1].dropFirst(2))
  }

  @Test func axisAtRestStaysSilent() {
    let player = player()
    player.frame([(.leftY, 1)])
    #expect(player.taken() == ["y 1"])
  }

  @Test func gateFollowsTheOwnAxisOnly() {
    let player = Player(
      MappingDescription([
        line(
          "left.x", [.radialDeadzone(0.5, sibling: .leftY)], to: [.note(instrument: "1")])
      ]))
    player.plug()
    player.frame([(.leftY, 1)])
    #expect(player.taken() == [])
    player.frame([(.leftX, 1)])
    player.frame([(.leftY, 0)])
    #expect(player.taken() == ["note 1 on 60 127"])
  }
}
