import Synchronization

/// What a live run keeps in a sound file.
extension LiveRun {
  /// Begins to record what is heard; see `CsoundEngine.record`. Not while PERFORM is in the music.
  ///
  /// - Throws: `EngineError` that names the file, or the recording that goes on.
  func startRecording(_ path: String, _ format: RecordingFormat) throws(EngineError) {
    let (rate, channels, isPlaying) = facts.withLock {
      ($0.statistics.rate, $0.statistics.channels, $0.completion == nil)
    }
    guard rate > 0, isPlaying else {
      throw EngineError(
        .state, "Nothing plays, so there is nothing to record; play something first.")
    }
    try OutputFile.check(path)
    let failure = recorder.withLock { recorder -> EngineError? in
      if let path = recorder?.path {
        return EngineError(.state, "\(path) is being recorded; stop that recording first.")
      }
      do throws(EngineError) {
        let made = try Recorder(path, format, rate: rate, channels: channels) { [log] in
          log.add($0)
        }
        controls.pointee.use(made)
        recorder = made
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Ends it, and waits until the file is complete. Not PERFORM.
  func stopRecording() {
    recorder.withLock { recorder in
      guard let ending = recorder else { return }
      controls.pointee.use(nil)
      ending.finish()
      recorder = nil
      if let failure = ending.failure {
        facts.withLock { $0.recordingFailure = "\(ending.path): \(failure)" }
      }
    }
  }
}
