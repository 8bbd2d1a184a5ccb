import Events
import Mapping
import Testing

@testable import Bridge

/// If these fail, a rendering plays early, twice, too long or too short.
@Suite struct OfflineInputTests {
  private func command(_ command: EngineCommand) -> String {
    "\(command.time / 1_000_000) \(command.kind) \(command.slot) \(command.value)"
  }

  private let text = """
    device one gamepad name="One" uniq=1 controls="left south"
    device two gamepad name="Two" uniq=2 controls="left south"
    0.000 one left.x 0.5
    0.000 two left.x 0.25
    0.100 one south 1
    0.100 two left.x 0.75
    0.200 one left.x 0.125
    0.350 one unplugged
    0.900 two south 1
    1.100 two left.x -1

    """

  private let mapping = "gamepad.left.x -> a\ngamepad.south -> note Bell"

  @Test func inPiecesIsTheSameAsAtOnce() throws {
    let program = try program(mapping)
    var whole: [String] = []
    let atOnce = OfflineInput(program, take: take(text))
    #expect(
      try !atOnce.advance(
        before: .max, command: { whole.append(command($0)) }, event: { _ in }))
    #expect(whole.contains("0 value 0 0.5") && whole.contains("900 noteOn 1 127.0"))

    for step in [1, 37, 100, 500] {
      let input = OfflineInput(program, take: take(text))
      var parts: [String] = []
      var limit: Nanoseconds = 0
      var hasMore = true
      while hasMore {
        limit += Nanoseconds(step) * 1_000_000
        hasMore = try input.advance(
          before: limit,
          command: {
            #expect($0.time < limit && $0.time >= limit - Nanoseconds(step) * 1_000_000)
            parts.append(command($0))
          }, event: { #expect($0.time < limit) })
        #expect(hasMore == (limit <= 1_100_000_000))
      }
      #expect(parts == whole)
    }
  }

  @Test func whatTakesOverPlaysAtThatMoment() throws {
    let input = OfflineInput(try program(mapping), take: take(text))
    var commands: [String] = []
    _ = try input.advance(
      before: .max, command: { commands.append(command($0)) }, event: { _ in })
    // The first pad leaves at 350 ms with its button down; the second one's stick counts from then on.
    #expect(commands.contains { $0.hasPrefix("350 noteOff 1 ") })
    #expect(commands.contains("350 value 0 0.75"))
  }

  @Test func theEndReleasesWhatIsHeld() throws {
    let input = OfflineInput(
      try program(mapping),
      take: take("device one gamepad name=\"One\"\n0.5 one south 1\n0.75 one left.x 1\n"))
    var commands: [String] = []
    _ = try input.advance(
      before: .max, command: { commands.append(command($0)) }, event: { _ in })
    #expect(
      commands == [
        "500 noteOn 1 127.0", "750 value 0 1.0", "750 noteOff 1 0.0", "750 panic 0 0.0",
      ])
  }

  /// Lines that move nothing still belong to the take.
  @Test(arguments: ["keys midi 90 3c 64", "widget unknown 1", "raw event4 3 5 -160"])
  func itLastsAsLongAsItsLastLine(_ line: String) throws {
    let input = OfflineInput(
      try program(mapping), take: take("device keys midi name=\"Keys\"\n0.1 \(line)\n2 \(line)\n"))
    for tenth in 1...20 {
      #expect(
        try input.advance(
          before: Nanoseconds(tenth) * 100_000_000, command: { _ in }, event: { _ in }))
    }
    #expect(try !input.advance(before: 2_100_000_000, command: { _ in }, event: { _ in }))
  }

  @Test func withoutATakeThereIsNothing() throws {
    let input = OfflineInput(try program(mapping), take: nil)
    #expect(try !input.advance(before: .max, command: { _ in }, event: { _ in }))
  }
}
