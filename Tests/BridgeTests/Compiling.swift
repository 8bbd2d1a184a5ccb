import Bridge
import Events
import Mapping
import Testing

@testable import Bridge

/// The program of a mapping, which must be without mistakes.
func program(_ text: String) throws -> Program {
  let compilation = MappingCompiler.check(
    [MappingFile(path: "test.map", bytes: Array(text.utf8))],
    read: { _, _ in .failure(MappingReadFailure(reason: "there is none")) })
  #expect(compilation.diagnostics.filter { $0.severity == .error }.isEmpty)
  return Program(try #require(compilation.description))
}

func take(_ text: String) -> TakeReader {
  TakeReader(MemorySource("sonde-take 1\n" + text), name: "test.take")
}

extension InputRequest: CustomStringConvertible {
  /// In short, for comparisons: `bind 0 as 1`, `left.x 0: 0.5`.
  public var description: String {
    switch kind {
    case .bind: return "bind \(device) as \(number)"
    case .unbind: return "unbind \(device) as \(number)"
    case .event:
      switch event.kind {
      case .value:
        let name = Control.numbered(event.control)?.name ?? "?"
        return "\(event.device) \(name) \(event.value.shortestText)"
      case .widget: return "widget \(event.control.rawValue) \(event.value.shortestText)"
      default: return "\(event.device) \(event.kind)"
      }
    default: return "\(kind)"
    }
  }
}
