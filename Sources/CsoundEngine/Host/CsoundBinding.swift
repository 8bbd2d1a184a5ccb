/// Something that takes part in every k-cycle of a run: fetches and gives values on the engine's own thread.
///
/// Everything is called on PERFORM, in the order in which bindings were added: `setup` after the orchestra has
/// compiled and before the first k-cycle (or between two, for a binding that is added later), `updateValuesToCsound`
/// before each k-cycle, `updateValuesFromCsound` after it, and `cleanup` before the instance goes, or when the binding
/// is removed. What takes long belongs elsewhere: the sound waits for it.
public protocol CsoundBinding: AnyObject, Sendable {
  func setup(_ csound: CsoundObj)
  func updateValuesToCsound()
  func updateValuesFromCsound()
  func cleanup()
}

extension CsoundBinding {
  public func updateValuesToCsound() {}
  public func updateValuesFromCsound() {}
  public func cleanup() {}
}
