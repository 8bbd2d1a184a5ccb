import CsoundEngine
import Events
import LinuxIO
import Mapping
import Testing

@testable import Bridge

/// If these fail, what comes with Sonde does not work.
@Suite struct ShippedFilesTests {
  /// The package's folder, by the place of this file.
  static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  static func files(_ folder: String, _ ending: String) -> [String] {
    ((try? folderContents("\(root)/\(folder)")) ?? []).filter { $0.hasSuffix(ending) }.map {
      "\(root)/\(folder)/\($0)"
    }
  }

  @Test func thereAreFiles() {
    #expect(!Self.files("mappings", ".map").isEmpty && !Self.files("csd", ".csd").isEmpty)
  }

  @Test(arguments: files("mappings", ".map")) func mappingsHaveNoMistakes(_ path: String) throws {
    #expect(try MappingFiles.check([path]).diagnostics.map { $0.rendered() } == [])
    guard case .file(let csd) = try InstrumentChoice(csd: nil, maps: [path]).source else {
      Issue.record("It names no CSD")
      return
    }
    #expect(fileExists(csd))
  }

  @Test func theBuiltInMappingHasNoMistakes() {
    let compilation = MappingCompiler.check(
      [MappingFile(path: BuiltIn.mapName, bytes: Array(BuiltIn.map.utf8))],
      read: MappingFiles.read)
    #expect(compilation.diagnostics.map { $0.rendered() } == [])
  }

  private struct Silence: CommandSource {
    mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool { false }
  }

  private func render(_ source: EngineConfiguration.Source) throws {
    var silence = Silence()
    var faults: [String] = []
    let render = OfflineRender(EngineConfiguration(source), output: nil)
    _ = try render.run(&silence, until: 200_000_000) { message in
      if message.kind == .error || message.kind == .warning { faults.append(message.text) }
    }
    #expect(faults == [])
    #expect(render.statistics.cycles > 0)
  }

  @Test(arguments: files("csd", ".csd")) func instrumentsCompile(_ path: String) throws {
    try render(.file(path))
  }

  @Test func theBuiltInInstrumentCompiles() throws {
    try render(.text(BuiltIn.csd, name: "built-in instrument", folder: "."))
  }

  /// Each name that the built-in mapping sends to is one that its instrument has.
  @Test func theBuiltInMappingFitsItsInstrument() throws {
    let choice = try InstrumentChoice(csd: nil, maps: []) { _ in nil }
    for slot in Program(choice.mapping).patch.slots {
      switch slot {
      case .channel(let name, _):
        let isMotion = ["accelerometer", "gyro", "attitude"].contains { name.hasPrefix($0) }
        #expect(isMotion || BuiltIn.csd.contains("chnget \"\(name)\""), "\(name)")
      case .note(let instrument): #expect(BuiltIn.csd.contains("instr \(instrument)\n"))
      case .unused: break
      }
    }
  }

  @Test(arguments: files("mappings", ".take")) func takesPlay(_ path: String) throws {
    let map = path.dropLast(5) + ".map"
    var lines: [String] = []
    var notes: [String] = []
    try Trace.run(
      take: path, maps: [String(map)], line: { lines.append($0) }, note: { notes.append($0) })
    #expect(lines.count > 100 && notes == [])
  }
}
