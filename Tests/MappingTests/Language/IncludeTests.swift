import Testing

@testable import Mapping

/// If these fail, a mapping in several files means something else than the same lines in one.
@Suite struct IncludeTests {
  @Test func namesAreFoundInWhateverFileTheyStand() throws {
    let compilation = check(
      [
        ("maps/main.map", "include \"parts/pads.map\"\npad.left.x -> cutoff"),
        ("maps/more.map", "widget slider cutoff"),
      ],
      others: ["maps/parts/pads.map": "device pad gamepad\ncsd \"../../csd/a.csd\""])
    #expect(compilation.diagnostics == [])
    #expect(compilation.paths == ["maps/main.map", "maps/parts/pads.map", "maps/more.map"])
    let description = try #require(compilation.description)
    #expect(description.csd == "csd/a.csd")
    #expect(description.routes[0].targets == [.widget(0)])
    #expect(description.routes[0].line == .init(file: "maps/main.map", number: 2))
  }

  @Test func aFileIsReadOnce() {
    let compilation = check(
      [
        ("a.map", "include \"b.map\"\ninclude \"./x/../b.map\"\ninclude \"c.map\""),
        ("b.map", "device pad gamepad"),
      ],
      others: ["b.map": "device pad gamepad", "c.map": "include \"b.map\"\nwidget slider v"])
    #expect(compilation.rendered == "")
    #expect(compilation.paths == ["a.map", "b.map", "c.map"])
  }

  @Test func aMissingFileIsNamedAndWatched() {
    let compilation = check([("maps/a.map", "include \"b.map\"")])
    #expect(
      compilation.rendered == """
        maps/a.map:1:9: error: The included file maps/b.map cannot be read: it does not exist. [unreadable-file]
        include "b.map"
                ^~~~~~~
        hint: a path is relative to the folder of the file that names it
        """)
    #expect(compilation.paths == ["maps/a.map", "maps/b.map"])
  }

  @Test func aCircleShowsBothPlaces() {
    let others = ["b.map": "\ninclude \"c.map\"", "c.map": "include \"a.map\""]
    #expect(
      check([("a.map", "include \"b.map\"")], others: others).rendered == """
        c.map:1:9: error: This include closes a circle of files. [include-cycle]
        include "a.map"
                ^~~~~~~
        hint: remove one of the includes; every file is part of the mapping anyway
        a.map:1:9: note: The circle begins here.
        include "b.map"
                ^~~~~~~
        """)
    #expect(check([("a.map", "include \"a.map\"")]).places == ["1:9 include-cycle"])
  }

  @Test func mistakesCarryTheNameOfTheirFile() {
    let compilation = check(
      [("a.map", "csd \"x.csd\"\ninclude \"b.map\"\nsmoth 1")],
      others: ["b.map": "csd \"y.csd\"\nwidget slder v"])
    #expect(
      compilation.diagnostics.map { "\($0.place.file) \($0.place.line) \($0.id.rawValue)" } == [
        "a.map 3 unknown-statement", "b.map 1 second-csd", "b.map 2 unknown-widget-kind",
      ])
    #expect(compilation.diagnostics[1].related?.place.file == "a.map")
  }

  @Test func anIncludeOfNothingIsAWarning() {
    let compilation = check([("a.map", "include \"b.map\"")], others: ["b.map": "# later\n"])
    #expect(compilation.places == ["1:9 empty-include"])
    #expect(compilation.description != nil)
  }

  @Test func emptinessIsTold() {
    #expect(check("").isEmpty)
    #expect(check("# only words\n").isEmpty)
    #expect(!check("gamepad.left.x -> a").isEmpty)
  }

  @Test(arguments: [
    ("b.map", "a.map", "b.map"), ("b.map", "x/a.map", "x/b.map"), ("../b.map", "x/a.map", "b.map"),
    ("../b.map", "a.map", "../b.map"), ("../../b", "x/a", "../b"), ("/abs/./b", "x/a", "/abs/b"),
    ("b", "/x/a", "/x/b"), ("../../../b", "/x/a", "/b"), ("b//c", "a", "b/c"), ("b", "-", "b"),
  ]) func pathsAreRelativeToTheirFile(path: String, base: String, result: String) {
    #expect(FilePath.resolve(path, relativeTo: base) == result)
  }
}
