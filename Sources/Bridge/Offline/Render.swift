public import CsoundEngine
public import Events
import LinuxIO
import Mapping

/// `sonde render`: plays a take into a sound file, faster than it sounds, the same every time.
public final class Render {
  /// What is to be rendered.
  public struct Options: Sendable {
    public var csd: String?
    public var maps: [String] = []
    /// The path of a take, `-` for standard input, or nil for no input.
    public var take: String?
    public var output: String
    public var duration: Nanoseconds?
    public var csoundOptions: [String] = []

    public init(output: String) { self.output = output }
  }

  private let choice: InstrumentChoice
  private let render: OfflineRender
  private let options: Options
  private var source: TakeCommandSource
  private let progress: (Nanoseconds) -> Void
  private let isInterrupted: () -> Bool

  /// - Parameters:
  ///   - event: called for every event of the take, as it is played.
  ///   - isInterrupted: asked while a take that is a pipe keeps one waiting; true ends it there.
  ///   - progress: called about five times for each second of sound, with its time.
  /// - Throws: `SessionError` when the mapping or the take cannot be read.
  public init(
    _ options: Options, event: @escaping (ControlEvent) -> Void = { _ in },
    isInterrupted: @escaping () -> Bool = { false },
    progress: @escaping (Nanoseconds) -> Void = { _ in }
  ) throws(SessionError) {
    self.options = options
    choice = try InstrumentChoice(csd: options.csd, maps: options.maps)
    var reader: TakeReader?
    if let path = options.take {
      do throws(SystemError) {
        let file = try FileReader(path)
        let source = InterruptibleSource(file, isInterrupted: isInterrupted)
        reader = TakeReader(source, name: file.path)
      } catch {
        throw .system("The take cannot be read: \(error).")
      }
    }
    let program = Program(choice.mapping)
    var configuration = EngineConfiguration(choice.source, patch: program.patch)
    configuration.options = options.csoundOptions
    let render = OfflineRender(configuration, output: options.output)
    self.render = render
    self.progress = progress
    self.isInterrupted = isInterrupted
    // The rest of a take that is wrong is not worth waiting for.
    source = TakeCommandSource(
      OfflineInput(program, take: reader), event: event, failed: { render.cancel() })
  }

  /// Warnings and notes about the mapping, as text.
  public var warnings: [String] { choice.diagnostics.map { $0.rendered() } }

  /// What the user should know about the take; complete after `run`.
  public var notes: [String] { source.input.notes }

  /// Renders on the calling thread.
  ///
  /// - Throws: `SessionError` when the CSD does not compile, the file cannot be written, or the take is wrong.
  public func run(messages: (EngineMessage) -> Void) throws(SessionError) -> Completion {
    let completion: Completion
    var nextProgress: Int64 = 0
    // Not by the source: it is not asked any more when the take has ended.
    func tell(_ probe: CycleProbe) {
      if probe.frame < nextProgress { return }
      let rate = Int64(max(1, render.statistics.rate))
      nextProgress = probe.frame + rate / 5
      progress(probe.frame * .perSecond / rate)
    }
    do throws(EngineError) {
      completion = try render.run(
        &source, until: options.duration, messages: messages, probe: tell)
    } catch {
      throw .engine(error)
    }
    if let error = source.failure, !isInterrupted() { throw .take(error) }
    return completion
  }

  /// Ends the rendering at the next k-cycle; the file is whole. Any thread.
  public func cancel() { render.cancel() }

  public var statistics: EngineStatistics { render.statistics }
}

/// Brings the engine the commands that a mapping makes of a take.
private struct TakeCommandSource: CommandSource {
  let input: OfflineInput
  private(set) var failure: TakeError?
  private let event: (ControlEvent) -> Void
  private let failed: () -> Void

  init(
    _ input: OfflineInput, event: @escaping (ControlEvent) -> Void,
    failed: @escaping () -> Void
  ) {
    self.input = input
    self.event = event
    self.failed = failed
  }

  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool {
    if failure != nil { return false }
    do throws(TakeError) {
      return try input.advance(before: limit, command: { queue.append($0) }, event: event)
    } catch {
      failure = error
      failed()
      return false
    }
  }
}
