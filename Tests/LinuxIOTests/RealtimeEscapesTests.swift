import LinuxIO
import Testing

/// The compiler proves that INPUT and PERFORM neither allocate nor lock, except where the code says that it knows
/// better. If these fail, such a place was added or moved and nobody has looked at it.
@Suite struct RealtimeEscapesTests {
  private static let escape = "_unsafePerformance"

  /// How many there are in each file.
  private static let known = [
    "Audio/ALSACalls.swift": 9,
    "Audio/JACKCalls.swift": 3,
    "Audio/Resampler.swift": 2,
    "Bridge/Input/InputCore.swift": 1,
    "CsoundEngine/CsoundCalls.swift": 7,
    "CsoundEngine/Host/HostHooks.swift": 3,
    "EvdevInput/Libevdev.swift": 1,
    "LinuxIO/RealtimeCalls.swift": 13,
    "Mapping/Mathematics.swift": 4,
    "Motion/MotionMath.swift": 5,
    "Widgets/Mathematics.swift": 2,
  ]

  private static func sources() throws -> [(name: String, text: String)] {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let root = "/\(tests)/Sources"
    var found: [(String, String)] = []
    var folders = [""]
    while let folder = folders.popLast() {
      for name in try folderContents("\(root)/\(folder)") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        if fileStatus("\(root)/\(path)")?.kind == .folder {
          folders.append(path)
        } else if name.hasSuffix(".swift") {
          found.append((path, String(decoding: try readFile("\(root)/\(path)"), as: UTF8.self)))
        }
      }
    }
    return found.sorted { $0.0 < $1.0 }
  }

  /// Lines without what follows `//`.
  private static func code(_ text: String) -> [Substring] {
    text.split(separator: "\n").map { line in
      var end = line.startIndex
      while end < line.endIndex && !line[end...].hasPrefix("//") { end = line.index(after: end) }
      return line[..<end]
    }
  }

  private static func count(_ part: String, in line: Substring) -> Int {
    var count = 0
    var rest = line
    while !rest.isEmpty {
      if rest.hasPrefix(part) { count += 1 }
      rest.removeFirst()
    }
    return count
  }

  @Test func everyEscapeIsKnown() throws {
    var found: [String: Int] = [:]
    for source in try Self.sources() {
      let count = Self.code(source.text).reduce(0) { $0 + Self.count(Self.escape, in: $1) }
      if count > 0 { found[source.name] = count }
    }
    #expect(found.values.reduce(0, +) > 0, "the sources were not found")
    for name in Set(found.keys).union(Self.known.keys).sorted() {
      #expect(
        found[name, default: 0] == Self.known[name, default: 0],
        """
        \(name): the number of \(Self.escape) has changed. Try to do without: the escape hides locks and allocation \
        from the compiler. If it must be, it belongs into the one file of its target that calls C, it does one \
        call whose source was read, the comment at the head of the file says what that does, and its number \
        goes into this test.
        """)
    }
  }

  /// The other way out of the check, for whole functions, is not used.
  @Test func noFunctionIsLeftOut() throws {
    for source in try Self.sources() {
      #expect(!source.text.contains("no_performance_analysis"), "\(source.name)")
    }
  }

  /// The loops of both threads are checked, and with them everything that they call.
  @Test(arguments: [
    ("CsoundEngine/LiveLoop.swift", "func run() -> Int32?"),
    ("Bridge/Input/InputCore.swift", "func turn() -> Bool"),
  ])
  func bothLoopsAreChecked(file: String, function: String) throws {
    let text = try #require(try Self.sources().first { $0.name == file }?.text)
    let lines = text.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.contains(function) })
    #expect(lines[place - 1].contains("@_noLocks"))
  }
}
