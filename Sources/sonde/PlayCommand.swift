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
    options.recordTake = invocation.value("record-take")
    options.csoundOptions = invocation.csoundOptions
    switch invocation.value("audio") {
    case "none": options.output = .none
    case "alsa": options.output = .alsa(device: nil)
    default: break
    }
    if invocation.value("timing") == "asap" { options.timing = .asap }
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
  guard let text = invocation.value("for") else { return nil }
  guard let time = nanoseconds(of: text) else {
    throw UsageError(message: "'--for' is a time such as 20s or 500ms, not '\(text)'.")
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
