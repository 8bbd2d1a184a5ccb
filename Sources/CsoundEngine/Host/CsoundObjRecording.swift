extension CsoundObj {
  /// Records what is heard from now on, until `stopRecording` or the end of the run; an existing file is replaced.
  ///
  /// WAV, FLAC, Ogg or AIFF by the ending. The file can be read at any time, up to its last second.
  ///
  /// - Throws: `EngineError`: `state` when nothing plays or a recording goes on, `output` that names the file.
  public func record(to path: String, format: RecordingFormat = .int16) throws(EngineError) {
    try playing("there is nothing to record").engine.record(to: path, format: format)
  }

  /// Ends the recording: the file is complete when this returns, but where a binding calls it. Does nothing where
  /// there is none.
  public func stopRecording() {
    (try? playing("there is nothing to record"))?.engine.stopRecording()
  }
}
