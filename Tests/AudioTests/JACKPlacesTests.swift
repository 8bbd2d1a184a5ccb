import Testing

@testable import Audio

/// If one of these fails, what another program offers is not played into, or what a hand has disconnected comes back.
@Suite struct JACKPlacesTests {
  private func connections(_ pairs: (Int, String)...) -> [JACKPlaces.Connection] {
    pairs.map { JACKPlaces.Connection(channel: $0.0, port: $0.1) }
  }

  @Test func channelsTakePortsInTheirOrder() {
    var places = JACKPlaces(channels: 2, isCapture: false)
    let all = ["a:1", "a:2", "a:3"]
    #expect(places.take(Set(all), present: all) == connections((0, "a:1"), (1, "a:2")))
    // One channel goes to two ears, and one microphone to one channel.
    var mono = JACKPlaces(channels: 1, isCapture: false)
    #expect(mono.take(Set(all), present: all) == connections((0, "a:1"), (0, "a:2")))
    var microphone = JACKPlaces(channels: 1, isCapture: true)
    #expect(microphone.take(Set(all), present: all) == connections((0, "a:1")))
  }

  @Test func whatAppearsLaterTakesWhatIsFree() {
    var places = JACKPlaces(channels: 2, isCapture: false)
    #expect(places.take(["b:1"], present: ["b:1"]) == connections((0, "b:1")))
    // Another program's port may come before it in the server's order.
    #expect(places.take(["a:1"], present: ["a:1", "b:1"]) == connections((1, "a:1")))
    // Both places are taken, whether or not somebody has disconnected them meanwhile.
    #expect(places.take(["c:1"], present: ["a:1", "b:1", "c:1"]) == [])
  }

  @Test func whatStaysIsNotConnectedAgainAndWhatReturnsIs() {
    var places = JACKPlaces(channels: 2, isCapture: false)
    let all = ["a:1", "a:2"]
    _ = places.take(Set(all), present: all)
    #expect(places.take([], present: all) == [])
    #expect(places.take(["z:1"], present: all + ["z:1"]) == [])
    // a:2 left and is back, which its order among the others does not change.
    #expect(places.take(["a:2"], present: ["a:2", "a:1", "z:1"]) == connections((1, "a:2")))
    // All have left, and another program takes their places.
    #expect(
      places.take(["c:1", "c:2"], present: ["c:1", "c:2"]) == connections((0, "c:1"), (1, "c:2")))
  }
}
