/// Why an audio device cannot be used: a sentence that ends with what to do.
public struct AudioError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
  /// Whether there is no such device at all, so that it may still appear.
  public var isMissing: Bool

  public init(_ description: String, isMissing: Bool = false) {
    self.description = description
    self.isMissing = isMissing
  }
}
