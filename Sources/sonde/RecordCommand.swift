import Bridge
import Events
import LinuxIO

/// `sonde record`.
enum RecordCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    let path = invocation.operands[0]
    let time = try duration(invocation)
    var line = ActivityLine()
    var nextRefresh: Int64 = 0
    do throws(SessionError) {
      let session = try RecordSession(path: path, isRaw: invocation.has("raw")) { report in
        switch report {
        case .input(let report): Terminal.error(InputSentences.text(report, hasMapping: false))
        case .notice(let sentence): Terminal.error("sonde: \(sentence.printable)")
        case .event(let event):
          line.note(event)
          let now = monotonicNow()
          if now < nextRefresh { return }
          nextRefresh = now + 100_000_000
          Terminal.status(line.text(at: now, width: Terminal.width))
        case .started, .message, .ended: break
        }
      }
      Terminal.error("Recording to \(path == "-" ? "standard output" : path); Ctrl-C ends it.")
      let count = try session.run(for: time)
      Terminal.error("\(count) events.")
      return 0
    } catch {
      Terminal.error(text(of: error))
      return 1
    }
  }
}
