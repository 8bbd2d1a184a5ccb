import Events
import Mapping
import Testing

/// If these fail, `sonde trace` misreports what a mapping does.
struct CommandTraceTests {
  private func trace(_ description: MappingDescription, _ play: (Player) -> Void) -> [String] {
    let player = Player(description)
    play(player)
    var trace = CommandTrace(player.program, start: 1_000_000)
    var lines: [String] = []
    while let command = player.ring.pop() {
      if let line = trace.line(for: command) { lines.append(line) }
    }
    return lines
  }

  @Test func valuesAndNotesAreRows() {
    let mapping = MappingDescription([
      line("left.x", to: [.channel("pan"), .channel("a, \"b\"")]),
      line("left.trigger", to: [.note(instrument: "Blip", key: 36)]),
    ])
    let lines = trace(mapping) { player in
      player.plug()
      player.frame([(.leftX, 0.1)])
      player.frame([(.leftX, 0), (.leftTrigger, 0.25)])
      player.time = 61_000_000_499
      player.frame([(.leftX, 1e-7), (.leftTrigger, 0)])
    }
    #expect(
      lines == [
        "0.000000,pan,0.1", "0.000000,\"a, \"\"b\"\"\",0.1", "0.001000,pan,0",
        "0.001000,\"a, \"\"b\"\"\",0", "0.001000,note Blip,36 31.75",
        "61.000000,pan,1e-07", "61.000000,\"a, \"\"b\"\"\",1e-07", "61.000000,note Blip,off",
      ])
  }

  @Test func implicitLinesDoNotShow() {
    var mapping = MappingDescription(
      [line("accelerometer.x", to: [.channel("accelerometerX")])],
      devices: [DeviceDeclaration(name: "motion", role: .motion)])
    mapping.addStandardChannels()
    #expect(mapping.routes.count == 9)
    #expect(mapping.devices.count == 1)
    let lines = trace(mapping) { player in
      player.plug()
      player.frame([(.accelerometerX, 0.5), (.gyroX, 2)])
    }
    #expect(lines == ["0.000000,accelerometerX,0.5"])
  }

  @Test func twoSmoothingsOfOneChannelAreOneTarget() {
    let mapping = MappingDescription([
      line("left.x", [.smooth(seconds: 0.1)], to: [.channel("c")]),
      line("right.x", to: [.channel("c")]),
    ])
    let lines = trace(mapping) { player in
      player.plug()
      player.frame([(.leftX, 0.5)])
      player.frame([(.rightX, 0.5)])
      player.frame([(.rightX, 0.25)])
    }
    #expect(lines == ["0.000000,c,0.5", "0.002000,c,0.25"])
  }
}
