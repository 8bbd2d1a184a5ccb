import CsoundEngine
import Events

/// What Csound says, where a person reads it: prints of the orchestra on standard output, faults on standard error.
enum EngineMessages {
  static func show(_ message: EngineMessage) {
    switch message.kind {
    case .normal: break
    case .orchestra: Terminal.output(message.text)
    case .error, .warning: Terminal.error("csound: \(message.text.printable)")
    case .notice: Terminal.error("sonde: \(message.text.printable)")
    }
  }
}
