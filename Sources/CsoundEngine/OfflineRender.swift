public import Events

/// Where an offline run gets its commands from.
///
/// Called on the thread that renders, before each k-cycle.
public protocol CommandSource {
  /// Gives every command with a time before `limit` that was not given yet, in order, to `queue`.
  ///
  /// - Returns: whether more may come; false ends an endless score 2 s later.
  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool
}

/// The commands of one k-cycle of an offline run.
public final class CommandQueue {
  init() {}

  /// Adds a command; commands of one k-cycle are applied in the order of their times, then of their arrival.
  public func append(_ command: EngineCommand) {}
}

/// What one k-cycle of an offline run left behind; valid during the call only.
public struct CycleProbe {
  /// The k-cycle's number from 0, and its first frame.
  public let cycle: Int64
  public let frame: Int64
  /// The block, interleaved, in units of 0dbfs.
  public let output: UnsafeBufferPointer<Double>

  /// The value of a control channel, creating it if it is not there.
  public func channel(_ name: String) -> Double { 0 }
}

/// Csound, offline: computes a CSD as fast as it goes, into a file or into nothing, the same every time.
///
/// Time 0 of the commands is the first frame.
public final class OfflineRender: Sendable {
  public let configuration: EngineConfiguration
  /// The file to write (WAV, FLAC, OGG or AIFF by extension), or nil.
  public let output: String?

  public init(_ configuration: EngineConfiguration, output: String?) {
    self.configuration = configuration
    self.output = output
  }

  /// Renders on the calling thread.
  ///
  /// - Parameters:
  ///   - end: where to end; nil ends with the score, or 2 s after `source` when the score has no end.
  ///   - messages: what Csound says, line by line.
  ///   - probe: called after every k-cycle.
  /// - Throws: `EngineError` when there is no run, or it failed on the way.
  public func run<Source: CommandSource>(
    _ source: inout Source, until end: Nanoseconds? = nil,
    messages: (EngineMessage) -> Void = { _ in }, probe: ((CycleProbe) -> Void)? = nil
  ) throws(EngineError) -> Completion {
    throw EngineError(.system, "The engine is not here yet.")
  }

  /// Ends the run at the next k-cycle. Any thread.
  public func cancel() {}

  /// How the run is doing, or how it went.
  public var statistics: EngineStatistics { EngineStatistics() }
}
