import LinuxIO
import Testing

@testable import Bridge

/// If these fail, `sonde trace` says something else than what a mapping's text promises.
@Suite struct TraceTests {
  private func trace(_ map: String, _ take: String) throws -> (lines: [String], notes: [String]) {
    let folder = try TemporaryFolder("sonde-test")
    let mapFile = try folder.write("test.map", map)
    let takeFile = try folder.write("test.take", take)
    var lines: [String] = []
    var notes: [String] = []
    try Trace.run(
      take: takeFile, maps: [mapFile], line: { lines.append($0) }, note: { notes.append($0) })
    return (lines, notes)
  }

  /// Every value worked out by hand from the definitions of the stages.
  @Test func stagesTargetsNotesAndUnplug() throws {
    let (lines, notes) = try trace(
      """
      device pad gamepad
      widget slider cutoff min=100 max=1100 default=200
      pad.left.x        | from 0..0.5 | to 10..20  -> a, "b, c"
      pad.left.x                                   -> cutoff
      pad.left.y        | abs                      -> up
      pad.right.x       | deadzone 0.5             -> dead
      pad.right.y       | invert                   -> turned
      pad.left.trigger  | to 0..8 pow 3            -> bent
      pad.right.trigger | to -20..20 db | smooth 1s -> loud
      pad.accelerometer -> x, y, z
      pad.south         -> note Bell key=C4
      pad.east          -> note 7 key=A4 velocity=5
      """,
      """
      sonde-take 1
      device pad gamepad name="Pad" uniq=1
      0.000000 pad left.x 0.25
      0.100000 pad left.x -0.5
      0.200000 pad left.y -0.75
      0.300000 pad right.x 0.75
      0.400000 pad right.x -0.5
      0.500000 pad right.y 0.25
      0.600000 pad left.trigger 0.5
      0.700000 pad right.trigger 0.5
      0.800000 pad motion 0.5 0.25 -1 0 0 0
      0.900000 pad motion 0.5 0.125 -1 0 0 0
      1.000000 pad south 1
      1.100000 pad east 1
      1.200000 pad east 0
      2.000000 pad unplugged
      2.500000 pad plugged
      2.600000 pad south 1
      2.700000 pad left.x 0.5

      """)
    #expect(
      lines == [
        "time,target,value",
        // 0.25 is the middle of 0…0.5; of −1…1 it is 5/8, and 100 + 5/8 · 1000 = 725.
        "0.000000,a,15", "0.000000,\"b, c\",15", "0.000000,cutoff,725",
        // Clamped to 0; of −1…1 it is 1/4.
        "0.100000,a,10", "0.100000,\"b, c\",10", "0.100000,cutoff,350",
        "0.200000,up,0.75",
        // (0.75 − 0.5) / (1 − 0.5)
        "0.300000,dead,0.5",
        "0.400000,dead,0",
        "0.500000,turned,-0.25",
        // 8 · (1/2)³
        "0.600000,bent,1",
        // The middle of −20…20 dB is 0 dB: amplitude 1, before smoothing.
        "0.700000,loud,1",
        "0.800000,x,0.5", "0.800000,y,0.25", "0.800000,z,-1",
        "0.900000,y,0.125",
        "1.000000,note Bell,60 127",
        "1.100000,note 7,69 5", "1.200000,note 7,off",
        "2.000000,note Bell,off",
        "2.600000,note Bell,60 127",
        // From 10 before: 0.5 is the end of 0…0.5, and 3/4 of −1…1.
        "2.700000,a,20", "2.700000,\"b, c\",20", "2.700000,cutoff,850",
        // The end of the take releases.
        "2.700000,note Bell,off",
      ])
    #expect(notes.isEmpty)
  }

  @Test func whatCameBeforeAMistakeStands() throws {
    let folder = try TemporaryFolder("sonde-test")
    let map = try folder.write("test.map", "gamepad.left.x -> a\n")
    let take = try folder.write(
      "test.take",
      "sonde-take 1\ndevice pad gamepad\n0.5 pad left.x 1\n0.6 pad left.y 1\n0.7 pad nonsense 1\n")
    var lines: [String] = []
    do throws(SessionError) {
      try Trace.run(take: take, maps: [map], line: { lines.append($0) }, note: { _ in })
      Issue.record("A wrong take was taken")
    } catch {
      #expect(error.description.hasPrefix("\(take):5: "))
    }
    #expect(lines == ["time,target,value", "0.500000,a,1"])
  }

  @Test func aCutTakeIsTracedToItsEnd() throws {
    let (lines, notes) = try trace(
      "gamepad.left.x -> a", "sonde-take 1\ndevice pad gamepad\n0.5 pad left.x 1\n0.6 pad lef")
    #expect(lines == ["time,target,value", "0.500000,a,1"])
    #expect(notes.count == 1 && notes[0].contains(":4: "))
  }

  @Test(arguments: ["", "nonsense\n", "\u{0}\u{1}\u{FFFD}"]) func whatIsNoTakeIsSaidToBeNone(
    _ text: String
  ) {
    #expect(throws: SessionError.self) { try trace("gamepad.left.x -> a", text) }
  }
}
