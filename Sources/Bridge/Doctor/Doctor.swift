import LinuxIO

/// Looks at what Sonde needs of the system, and knows the line that mends what is missing.
public struct Doctor {
  /// Where system folders are read from: empty for the real ones, a folder for tests.
  let root: String
  /// The user's folder for sockets, `$XDG_RUNTIME_DIR`, or nil.
  let runtimeFolder: String?
  /// What a thread is granted that asks for realtime priority.
  let scheduling: RealtimeThread.Scheduling
  /// The shortest time that the kernel's timers know, in nanoseconds.
  let timerResolution: Int64

  /// Looks at this system. It starts a thread for a moment, and asks RealtimeKit where that is refused.
  public init() {
    self.init(
      root: "", runtimeFolder: environmentVariable("XDG_RUNTIME_DIR"),
      scheduling: RealtimeThread.trial(priority: 70), timerResolution: monotonicResolution())
  }

  /// The same with facts from elsewhere.
  init(
    root: String, runtimeFolder: String? = nil, scheduling: RealtimeThread.Scheduling = .normal,
    timerResolution: Int64 = 1
  ) {
    self.root = root
    self.runtimeFolder = runtimeFolder
    self.scheduling = scheduling
    self.timerResolution = timerResolution
  }

  /// Everything looked at, in the order in which a user would mend it.
  public func examine() -> [Finding] {
    [csoundModules(), soundCards(), soundServer(), latency(), deviceManager(), deviceRules()]
      .compactMap { $0 }
      + inputNodes()
      + [
        realtimePriority(), realtimeKit(), realtimeShare(), lockedMemory(), preemption(), timers(),
        processorFrequency(),
      ].compactMap { $0 }
  }

  func contents(_ folder: String) -> [String] {
    ((try? folderContents(root + folder)) ?? []).sorted()
  }

  /// The content of a short file without blanks at its ends, or nil where there is none.
  func text(_ file: String) -> String? {
    guard let bytes = try? readFile(root + file, limit: 1 << 16) else { return nil }
    var text = Substring(decoding: bytes, as: UTF8.self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
