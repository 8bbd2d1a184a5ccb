import Events
import Testing

@testable import Mapping

/// If these fail, a mapping that is edited while it plays does not go on where it was.
@Suite struct MappingCompilerTests {
  private func compile(_ text: String, after previous: Program? = nil) -> Program? {
    MappingCompiler.compile(
      [MappingFile(path: "a.map", bytes: Array(text.utf8))], after: previous
    ) { _, _ in .failure(.init(reason: "there is none")) }.program
  }

  private func slot(_ target: String, of program: Program) -> Int? {
    program.slotNames.firstIndex { $0.target == target }
  }

  @Test func theEngineGetsChannelsWithTheirSmoothing() throws {
    let program = try #require(
      compile("gamepad.left.x | smooth 20ms -> pan\ngamepad.south -> note Blip key=C3"))
    let pan = try #require(slot("pan", of: program))
    #expect(program.patch.slots[pan] == .channel(name: "pan", smoothing: 0.02))
    let note = try #require(slot("note Blip", of: program))
    #expect(program.patch.slots[note] == .note(instrument: "Blip"))
    #expect(program.generation == 1)
  }

  @Test func changedNumbersKeepTheLinesSlot() throws {
    let first = try #require(compile("gamepad.left.x | deadzone 0.1 | smooth 20ms -> pan"))
    let second = try #require(
      compile(
        "gamepad.right.x -> other\ngamepad.left.x | deadzone 0.2 | smooth 50ms -> pan",
        after: first))
    #expect(second.generation == 2)
    #expect(slot("pan", of: second) == slot("pan", of: first))
    let pan = try #require(slot("pan", of: second))
    #expect(second.patch.slots[pan] == .channel(name: "pan", smoothing: 0.05))
  }

  @Test func aWrongOrEmptyFileReplacesNothing() throws {
    let good = try #require(compile("gamepad.left.x -> pan"))
    #expect(compile("gamepad.left.x -> ", after: good) == nil)
    #expect(compile("", after: good) == nil)
    #expect(compile("# only this\n", after: good) == nil)
    #expect(compile("") != nil)
  }
}
