import CCsound

/// The library that computes the sound.
public enum CsoundLibrary {
  /// Its version, `6.18.1`.
  ///
  /// C: `csoundGetVersion`.
  public static var version: String {
    let number = csoundGetVersion()
    return "\(number / 1000).\(number / 10 % 100).\(number % 10)"
  }
}
