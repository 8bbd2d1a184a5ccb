import Bridge
import CsoundEngine
import Events
import LinuxIO

/// `sonde render`.
enum RenderCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    guard let output = invocation.value("output") else {
      throw UsageError(message: "'sonde render' needs --output FILE.")
    }
    if invocation.operands.isEmpty && invocation.values("map").isEmpty {
      throw UsageError(message: "'sonde render' needs a CSD, or a --map that names one.")
    }
    var options = Render.Options(output: output)
    options.csd = invocation.operands.first
    options.maps = invocation.values("map")
    options.take = invocation.value("take")
    options.duration = try duration(invocation)
    options.csoundOptions = invocation.csoundOptions
    let progress = RenderProgress(isQuiet: invocation.has("quiet"))
    do throws(SessionError) {
      try progress.watchForInterrupt()
      let render = try Render(
        options, event: { progress.note($0) }, isInterrupted: { progress.isInterrupted() },
        progress: { progress.show(at: $0) })
      progress.cancel = { render.cancel() }
      for warning in render.warnings { Terminal.error(warning) }
      let completion = try render.run { EngineMessages.show($0) }
      Terminal.clearStatus()
      for note in render.notes { Terminal.error("sonde: \(note.printable)") }
      if case .failed(let error) = completion {
        Terminal.error("sonde: \(String(describing: error).printable)")
        return 1
      }
      return tellResult(output, wasInterrupted: progress.wasInterrupted)
    } catch {
      Terminal.error(text(of: error))
      return 1
    }
  }
}

extension RenderCommand {
  /// Says what is in the file that was written, and what would disappoint whoever plays it.
  private static func tellResult(_ output: String, wasInterrupted: Bool) -> Int32 {
    let status: Int32 = wasInterrupted ? 1 : 0
    let done = "\(wasInterrupted ? "Interrupted; wrote" : "Wrote") \(output)"
    // A pipe cannot be read back.
    if fileStatus(output)?.kind != .file {
      Terminal.error(done + ".")
      return status
    }
    do throws(EngineError) {
      let sound = try SoundFileSummary(output)
      let tenths = Int((sound.duration * 10).rounded())
      let peak = Int((sound.peak * 100).rounded())
      Terminal.error(
        "\(done): \(tenths / 10).\(tenths % 10) s, peak \(peak) % of full scale.")
      if sound.peak == 0 {
        Terminal.error("It is silent: no line of the mapping moves what the CSD listens to.")
      } else if sound.peak >= 0.9999 {
        Terminal.error("It may be clipped: lower the levels in the CSD.")
      }
      return status
    } catch {
      Terminal.error("sonde: \(error)")
      return 1
    }
  }
}

/// The line of what moves while a take is rendered, and the interrupt that ends it.
private final class RenderProgress {
  private let isQuiet: Bool
  private var line = ActivityLine()
  private var signals: SignalSource?
  /// Called at an interrupt.
  var cancel: () -> Void = {}
  private(set) var wasInterrupted = false

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func watchForInterrupt() throws(SessionError) {
    do throws(SystemError) { signals = try SignalSource() } catch {
      throw .system("\(error).")
    }
  }

  /// Looks whether an interrupt came, and ends the rendering if so.
  func isInterrupted() -> Bool {
    while signals?.next() != nil { wasInterrupted = true }
    if wasInterrupted { cancel() }
    return wasInterrupted
  }

  func note(_ event: ControlEvent) { line.note(event) }

  func show(at time: Nanoseconds) {
    _ = isInterrupted()
    if isQuiet || !Terminal.isInteractive { return }
    let seconds = "\(time / .perSecond) s"
    Terminal.status(
      seconds + "  " + line.text(at: time, width: Terminal.width - seconds.count - 2))
  }
}
