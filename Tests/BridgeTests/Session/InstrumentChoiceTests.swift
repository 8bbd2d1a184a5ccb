import CsoundEngine
import LinuxIO
import Mapping
import Testing

@testable import Bridge

/// If these fail, Sonde plays another mapping or instrument than the one beside the CSD or the user's own.
@Suite struct InstrumentChoiceTests {
  private func choose(
    _ folder: TemporaryFolder, csd: String? = nil, maps: [String] = []
  ) throws -> InstrumentChoice {
    let variables = ["XDG_CONFIG_HOME": folder.file("config")]
    return try InstrumentChoice(csd: csd, maps: maps) { variables[$0] }
  }

  @Test func withNothingItIsTheBuiltIn() throws {
    let choice = try choose(try TemporaryFolder("sonde-test"))
    guard case .text(let text, _, _) = choice.source else {
      Issue.record("\(choice.source)")
      return
    }
    #expect(text == BuiltIn.csd && choice.mappingName == BuiltIn.mapName)
    #expect(!choice.mapping.routes.isEmpty)
  }

  @Test func aCSDWithoutAMappingHasOnlyMotion() throws {
    let folder = try TemporaryFolder("sonde-test")
    let csd = try folder.write("a.csd", "")
    let choice = try choose(folder, csd: csd)
    #expect(choice.source == .file(csd) && choice.mappingName == "no mapping")
  }

  @Test func theNamesakeWinsOverTheUsersOwn() throws {
    let folder = try TemporaryFolder("sonde-test")
    let csd = try folder.write("a.csd", "")
    let own = try folder.write("config/sonde/default.map", "gamepad.left.x -> own\n")
    #expect(try choose(folder, csd: csd).mappingName == own)
    let namesake = try folder.write("a.map", "gamepad.left.x -> namesake\n")
    #expect(try choose(folder, csd: csd).mappingName == namesake)
    let named = try folder.write("b.map", "gamepad.left.x -> named\n")
    #expect(try choose(folder, csd: csd, maps: [named]).mappingName == named)
  }

  @Test func homeStandsInForTheConfigurationFolder() throws {
    let folder = try TemporaryFolder("sonde-test")
    let csd = try folder.write("a.csd", "")
    let own = try folder.write(".config/sonde/default.map", "gamepad.left.x -> own\n")
    // A relative XDG_CONFIG_HOME is invalid and ignored: XDG Base Directory Specification.
    for folders in [nil, "", "config"] {
      let variables = ["HOME": folder.path, "XDG_CONFIG_HOME": folders]
      let choice = try InstrumentChoice(csd: csd, maps: []) { variables[$0] ?? nil }
      #expect(choice.mappingName == own)
    }
    #expect(try InstrumentChoice(csd: csd, maps: []) { _ in nil }.mappingName == "no mapping")
  }

  @Test func theMappingsCSDIsBesideIt() throws {
    let folder = try TemporaryFolder("sonde-test")
    let map = try folder.write("maps/a.map", "csd \"../csd/a.csd\"\ngamepad.left.x -> a\n")
    guard case .file(let path) = try choose(folder, maps: [map]).source else {
      Issue.record("No file")
      return
    }
    try folder.write("csd/a.csd", "")
    #expect(try realPath(path) == realPath(folder.file("csd/a.csd")))
    #expect(try choose(folder, csd: "other.csd", maps: [map]).source == .file("other.csd"))
  }

  @Test func theUsersOwnMappingPlaysTheBuiltInInstrument() throws {
    let folder = try TemporaryFolder("sonde-test")
    let own = try folder.write("config/sonde/default.map", "gamepad.left.x -> pitch\n")
    let choice = try choose(folder)
    #expect(choice.mappingName == own)
    guard case .text = choice.source else {
      Issue.record("\(choice.source)")
      return
    }
  }

  @Test func aNamedMappingWithoutACSDSaysWhatToAdd() throws {
    let folder = try TemporaryFolder("sonde-test")
    let map = try folder.write("a.map", "gamepad.left.x -> a\n")
    do throws(SessionError) {
      _ = try InstrumentChoice(csd: nil, maps: [map]) { _ in nil }
      Issue.record("It chose something")
    } catch {
      #expect(error.description.contains(map) && error.description.contains("csd"))
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    for map in [folder.file("none.map"), folder.path] {
      do throws(SessionError) {
        _ = try InstrumentChoice(csd: nil, maps: [map]) { _ in nil }
        Issue.record("It chose something")
      } catch {
        #expect(error.description.contains(map))
      }
    }
  }

  @Test func allMistakesAreTold() throws {
    let folder = try TemporaryFolder("sonde-test")
    let map = try folder.write("a.map", "gamepad.lift.x -> a\ngamepad.left.y | fram 0..1 -> b\n")
    do throws(SessionError) {
      _ = try InstrumentChoice(csd: "a.csd", maps: [map]) { _ in nil }
      Issue.record("A wrong mapping was taken")
    } catch {
      guard case .mapping(let diagnostics) = error else { return #expect(Bool(false)) }
      #expect(diagnostics.count == 2)
      #expect(error.description.contains("a.map:1:") && error.description.contains("a.map:2:"))
    }
  }
}
