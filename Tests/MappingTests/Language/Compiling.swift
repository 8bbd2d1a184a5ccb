@testable import Mapping

/// Checks `text` as one file named `test.map`; `others` are the files that it may include.
func check(_ text: String, others: [String: String] = [:]) -> MappingCompilation {
  check([("test.map", text)], others: others)
}

/// Checks several files of one mapping.
func check(
  _ files: [(path: String, text: String)], others: [String: String] = [:]
) -> MappingCompilation {
  MappingCompiler.check(files.map { MappingFile(path: $0.path, bytes: Array($0.text.utf8)) }) {
    path, _ in
    others[path].map { .success(Array($0.utf8)) } ?? .failure(.init(reason: "it does not exist"))
  }
}

extension MappingCompilation {
  /// All diagnostics as a person reads them.
  var rendered: String { diagnostics.map { $0.rendered() }.joined(separator: "\n") }

  /// `line:column id` of each.
  var places: [String] {
    diagnostics.map { "\($0.place.line):\($0.place.column) \($0.id.rawValue)" }
  }
}
