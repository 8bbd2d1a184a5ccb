import Synchronization

/// New orchestra text on its way to Csound, and who waits for the result.
final class OrchestraCompilation: Sendable {
  let text: OrchestraText
  private let finished: @Sendable (Result<Void, EngineError>) -> Void

  init(_ text: OrchestraText, _ finished: @escaping @Sendable (Result<Void, EngineError>) -> Void) {
    self.text = text
    self.finished = finished
  }

  /// - Parameters:
  ///   - result: what Csound said: 0, or that nothing of it applies; nil where the run has ended.
  ///   - lines: what it printed.
  ///   - firstLine: how Csound numbers the first line of the text.
  func finish(_ result: Int32?, _ lines: [EngineMessage], firstLine: Int) {
    guard let result else { return refuse() }
    if result == 0 { return finished(.success(())) }
    let failure = CsoundFailure(lines, name: "the text", firstLine: firstLine)
    let place = failure.line.map { ", line \($0)" } ?? ""
    finished(
      .failure(
        EngineError(
          .compile,
          "Orchestra text\(place): it does not compile, and the former code goes on; correct what Csound names.",
          details: failure.details)))
  }

  func refuse() {
    finished(
      .failure(
        EngineError(
          .state, "The run has ended, so orchestra text has no place; play something first.")))
  }
}
