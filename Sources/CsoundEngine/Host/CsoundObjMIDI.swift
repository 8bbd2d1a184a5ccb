extension CsoundObj {
  /// Gives MIDI bytes to the orchestra, as a cable would carry them: any pieces of channel messages, from any thread.
  ///
  /// They reach the run that plays where its configuration says `takesMIDI`, with the next k-cycle, and are dropped
  /// otherwise.
  public func sendMIDI(_ bytes: some Sequence<UInt8>) {
    (try? playing("MIDI has no place"))?.work.midi.add(bytes)
  }

  /// Silences what MIDI made sound.
  public func panic() { (try? playing("nothing sounds"))?.work.midi.panic() }
}
