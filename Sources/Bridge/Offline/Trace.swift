import Events
import LinuxIO
import Mapping

/// `sonde trace`: what every target of a mapping receives from a take.
public enum Trace {
  /// Gives the lines of the trace, the header first, to `line`.
  ///
  /// - Parameters:
  ///   - take: the path, or `-` for standard input.
  ///   - note: what the user should know besides.
  /// - Throws: `SessionError` when the mapping or the take cannot be used; what came before is a valid trace.
  public static func run(
    take: String, maps: [String], line: (String) -> Void, note: (String) -> Void
  ) throws(SessionError) {
    let compilation = try MappingFiles.check(maps)
    guard let mapping = compilation.description else { throw .mapping(compilation.diagnostics) }
    let file: FileReader
    do throws(SystemError) { file = try FileReader(take) } catch {
      throw .system("The take cannot be read: \(error).")
    }
    let program = Program(mapping)
    let input = OfflineInput(program, take: TakeReader(file, name: file.path))
    var trace = CommandTrace(program, start: 0)
    line(CommandTrace.header)
    do throws(TakeError) {
      _ = try input.advance(
        before: .max,
        command: { command in
          if let text = trace.line(for: command) { line(text) }
        }, event: { _ in })
    } catch {
      throw .take(error)
    }
    input.notes.forEach(note)
  }
}
