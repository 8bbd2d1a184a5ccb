import Audio
import Bridge
import CsoundEngine
import Events
import LinuxIO
import Mapping

/// `sonde play`.
enum PlayCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    var options = PlayOptions()
    options.csd = invocation.operands.first
    options.maps = invocation.values("map")
    options.take = invocation.value("take")
    options.isLive = invocation.has("live")
    options.recording = invocation.value("record")
    switch invocation.value("record-format") {
    case "24": options.recordingFormat = .int24
    case "float": options.recordingFormat = .float32
    default: break
    }
    if options.recording == nil && invocation.has("record-format") {
      throw UsageError(message: "'--record-format' belongs to '--record FILE'.")
    }
    options.recordTake = invocation.value("record-take")
    options.csoundOptions = invocation.csoundOptions
    switch invocation.value("audio") {
    case "none": options.output = .none
    case "jack": options.output = .jack(server: nil)
    case "alsa": options.output = .alsa(device: nil)
    default: break
    }
    if invocation.value("timing") == "asap" { options.timing = .asap }
    options.latency = try time("latency", invocation, example: "5ms or 20ms")
    options.duration = try duration(invocation)
    if options.isLive && options.take == nil {
      throw UsageError(message: "'--live' belongs to '--take'; without a take devices are live.")
    }
    let display = PlayDisplay(
      isQuiet: invocation.has("quiet"), statisticsPath: invocation.value("stats"))
    do throws(SessionError) {
      let session = try PlaySession(options) { display.show($0) }
      let completion = try session.run()
      return display.finish(completion)
    } catch {
      Terminal.error(text(of: error))
      return 1
    }
  }
}

/// The time that `--for` gives, or nil.
func duration(_ invocation: Invocation) throws(UsageError) -> Nanoseconds? {
  try time("for", invocation, example: "20s or 500ms")
}

/// The time that an option gives, or nil.
func time(_ option: String, _ invocation: Invocation, example: String) throws(UsageError)
  -> Nanoseconds?
{
  guard let text = invocation.value(option) else { return nil }
  guard let time = nanoseconds(of: text) else {
    throw UsageError(message: "'--\(option)' is a time such as \(example), not '\(text)'.")
  }
  return time
}

/// An error for the terminal; a mapping's mistakes as they are, everything else with the program's name.
func text(of error: SessionError) -> String {
  if case .mapping(let diagnostics) = error {
    return diagnostics.map { $0.rendered(colour: Terminal.hasColour) }.joined(separator: "\n")
  }
  return "sonde: \(String(describing: error).printable)"
}
