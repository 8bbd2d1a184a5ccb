public import CsoundEngine
import LinuxIO
public import Mapping

/// What is played: the CSD and the mapping, chosen by what the user named and what lies beside it.
public struct InstrumentChoice: Sendable {
  public var source: EngineConfiguration.Source
  public var mapping: MappingDescription
  /// Warnings and notes about the mapping.
  public var diagnostics: [Diagnostic]
  /// Which mapping it is, for the user: paths, or what stands for them.
  public var mappingName: String

  /// Chooses, reads and checks.
  ///
  /// Without `maps`: the CSD's namesake beside it, else the user's default.map, else the built-in mapping (with a
  /// CSD: none, so that only motion reaches its channels). The command line's CSD wins over the mapping's.
  /// - Throws: `SessionError` when a file cannot be read or the mapping has mistakes.
  public init(csd: String?, maps: [String]) throws(SessionError) {
    try self.init(csd: csd, maps: maps, variable: environmentVariable)
  }

  /// The same with another environment.
  init(
    csd: String?, maps: [String], variable: (_ name: String) -> String?
  ) throws(SessionError) {
    var paths = maps
    if paths.isEmpty, let found = InstrumentChoice.defaultMapping(for: csd, variable) {
      paths = [found]
    }
    let compilation: MappingCompilation
    if paths.isEmpty && csd == nil {
      compilation = MappingCompiler.check(
        [MappingFile(path: BuiltIn.mapName, bytes: Array(BuiltIn.map.utf8))],
        read: MappingFiles.read)
      mappingName = BuiltIn.mapName
    } else {
      compilation = try MappingFiles.check(paths)
      mappingName = paths.isEmpty ? "no mapping" : paths.joined(separator: ", ")
    }
    guard let mapping = compilation.description else {
      throw .mapping(compilation.diagnostics)
    }
    self.mapping = mapping
    diagnostics = compilation.diagnostics
    if let path = csd ?? mapping.csd {
      source = .file(path)
    } else if maps.isEmpty {
      // Also for the user's default.map, which is there for any instrument.
      source = .text(BuiltIn.csd, name: "built-in instrument", folder: ".")
    } else {
      throw .system(
        "\(maps[0]) names no CSD; add a line csd \"FILE.csd\" to it, or name one on the command line."
      )
    }
  }

  private static func defaultMapping(
    for csd: String?, _ variable: (_ name: String) -> String?
  ) -> String? {
    if let csd, csd.hasSuffix(".csd") {
      let namesake = csd.dropLast(4) + ".map"
      if fileExists(String(namesake)) { return String(namesake) }
    }
    let folder =
      // A relative one is invalid: XDG Base Directory Specification.
      variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? variable("HOME").map { "\($0)/.config" }
    guard let folder else { return nil }
    let file = "\(folder)/sonde/default.map"
    return fileExists(file) ? file : nil
  }
}

/// Mapping files on disk.
public enum MappingFiles {
  /// Reads and checks files as one mapping.
  ///
  /// - Throws: `SessionError.system` when one that was named cannot be read.
  public static func check(_ paths: [String]) throws(SessionError) -> MappingCompilation {
    var files: [MappingFile] = []
    for path in paths {
      do throws(SystemError) {
        files.append(MappingFile(path: path, bytes: try readFile(path, limit: sizeLimit)))
      } catch {
        throw .system("The mapping cannot be read: \(error).")
      }
    }
    return MappingCompiler.check(files, read: read)
  }

  private static let sizeLimit = 16 << 20

  static func read(_ path: String, from: String) -> Result<[UInt8], MappingReadFailure> {
    do throws(SystemError) {
      return .success(try readFile(path, limit: sizeLimit))
    } catch {
      return .failure(MappingReadFailure(reason: "it \(error.number.predicate)"))
    }
  }
}
