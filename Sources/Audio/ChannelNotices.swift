extension AudioFormat {
  /// What to say of a device that has fewer channels than the orchestra plays, or nil.
  ///
  /// - Parameter subject: the device, as the beginning of a sentence.
  public func playbackNotice(_ subject: String) -> String? {
    if deviceChannels >= channels { return nil }
    if deviceChannels == 1 {
      return "\(subject) has one channel: the orchestra's \(channels) are mixed into it."
    }
    return
      "\(subject) has \(deviceChannels) channels and the orchestra plays \(channels): those above \(deviceChannels) are not heard."
  }

  /// What to say of a device that captures fewer channels than the orchestra listens to, or nil.
  ///
  /// - Parameters:
  ///   - name: the device.
  ///   - captured: its channels.
  public func captureNotice(_ name: String, channels captured: Int) -> String? {
    // One microphone is heard on two channels, as one expects.
    if captured >= inputChannels || (captured == 1 && inputChannels == 2) { return nil }
    let heard = captured == 1 ? "1 and 2 hear it" : "1 to \(captured) hear it"
    let has = captured == 1 ? "one channel" : "\(captured) channels"
    return
      "The capture device \(name) has \(has) and the orchestra listens to \(inputChannels) (nchnls_i): \(heard), the others hear silence."
  }
}

extension IndependentCapture {
  /// That its sound is resampled, and why.
  public func resamplingNotice(beside rate: Int) -> String {
    format.rate == rate
      ? "The capture device \(name) has a clock of its own: its sound is resampled to follow what plays."
      : "The capture device \(name) runs at \(format.rate) Hz, and the sound at \(rate) Hz: its sound is resampled."
  }
}
