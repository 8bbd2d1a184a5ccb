extension CsoundObj {
  /// Sends score events (`i`, `f`, `e`, `q`, `a`, `d`, one to a line) to the run that plays; times count from now.
  ///
  /// Never waits. All events of a text are taken, or none.
  ///
  /// - Throws: `EngineError`: `score` with line and column of what Csound would not survive or understand, `state`
  ///   when nothing plays or more events wait than there is room for.
  public func sendScore(_ text: String) throws(EngineError) {
    let checked = try ScoreText(text)
    let run = try playing("score events have no place")
    if !run.work.score.add(checked) {
      throw EngineError(
        .state,
        "More score events wait than the engine takes at once; send the rest a little later.")
    }
  }

  /// Sends orchestra code to the run that plays: new notes use it, those that sound go on as they are.
  ///
  /// Returns at once; what Csound finds wrong it says in a message.
  ///
  /// - Throws: `EngineError`: `compile` with line and column of what Csound would not survive, `state` when
  ///   nothing plays.
  public func updateOrchestra(_ text: String) throws(EngineError) {
    let checked = try OrchestraText(text)
    let run = try playing("orchestra text has no place")
    run.add(OrchestraCompilation(checked) { _ in })
  }

  /// The same, and waits until it applies.
  ///
  /// - Throws: `EngineError` with Csound's own lines as well.
  public func compileOrchestra(_ text: String) async throws(EngineError) {
    let checked = try OrchestraText(text)
    let run = try playing("orchestra text has no place")
    let result = await withCheckedContinuation { continuation in
      run.add(OrchestraCompilation(checked) { continuation.resume(returning: $0) })
    }
    try result.get()
  }
}
