import Mapping

/// Why nothing can be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Compiles the text of a mapping that includes no file.
func compile(_ text: String, after previous: Program? = nil) throws -> Program {
  let (program, compilation) = MappingCompiler.compile(
    [MappingFile(path: "bench.map", bytes: Array(text.utf8))], after: previous
  ) { path, _ in .failure(MappingReadFailure(reason: "\(path) is not there")) }
  guard let program else {
    let first = compilation.diagnostics.first
    throw BenchmarkFailure(
      "The mapping does not compile: line \(first?.place.line ?? 0): \(first?.sentence ?? "")")
  }
  return program
}
