import Bridge
import Mapping

/// `sonde check`.
enum CheckCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    do throws(SessionError) {
      let compilation = try MappingFiles.check(invocation.operands)
      if invocation.has("json") {
        Terminal.output(JSON.array(compilation.diagnostics.map(json)).text)
      } else {
        for diagnostic in compilation.diagnostics {
          Terminal.error(diagnostic.rendered(colour: Terminal.hasColour))
        }
      }
      return compilation.hasErrors ? 1 : 0
    } catch {
      Terminal.error(text(of: error))
      return 1
    }
  }

  private static func json(_ diagnostic: Diagnostic) -> JSON {
    func members(_ place: Diagnostic.Place) -> [(name: String, value: JSON)] {
      [
        ("file", .string(place.file)), ("line", .integer(place.line)),
        ("column", .integer(place.column)), ("endLine", .integer(place.endLine)),
        ("endColumn", .integer(place.endColumn)),
      ]
    }
    var object =
      members(diagnostic.place) + [
        ("severity", .string(diagnostic.severity.rawValue)),
        ("id", .string(diagnostic.id.rawValue)), ("message", .string(diagnostic.sentence)),
        ("hint", diagnostic.hint.map(JSON.string) ?? .null),
      ]
    if let related = diagnostic.related {
      object.append(
        ("related", .object(members(related.place) + [("message", .string(related.sentence))])))
    }
    return .object(object)
  }
}
