import CsoundEngine
import Events
import LinuxIO

/// What the figures depend on and nobody can see in them: the machine, its kernel, the versions.
struct Machine {
  let facts: [(name: String, value: String)]

  init() {
    let processors = Machine.fields("/proc/cpuinfo", separator: ":")
    let models = processors.filter { $0.name == "model name" || $0.name == "Model" }
    let flags = processors.first { $0.name == "flags" }?.value ?? ""
    let isVirtual = flags.split(separator: " ").contains("hypervisor")
    let system = Machine.fields("/etc/os-release", separator: "=")
    let memory = Machine.fields("/proc/meminfo", separator: ":").first { $0.name == "MemTotal" }
    let kernel = "/proc/sys/kernel/"
    facts = [
      ("processor", models.first?.value ?? "unknown"),
      (
        "processors",
        "\(processors.count { $0.name == "processor" })\(isVirtual ? ", of a virtual machine" : "")"
      ),
      (
        "governor",
        Machine.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
          ?? "none (the kernel does not set the frequency)"
      ),
      ("memory", memory?.value ?? "unknown"),
      (
        "kernel",
        [Machine.line(kernel + "osrelease"), Machine.line(kernel + "version")]
          .compactMap { $0 }.joined(separator: " ")
      ),
      ("system", system.first { $0.name == "PRETTY_NAME" }?.value ?? "unknown"),
      ("load", Machine.line("/proc/loadavg") ?? "unknown"),
      (
        "realtime priority",
        Machine.sentence(RealtimeThread.trial(priority: 70))
      ),
      ("Csound", CsoundLibrary.version),
      ("Swift", Machine.compiler + (Machine.isOptimised ? "" : ", a debug build")),
    ]
  }

  /// What threads were granted that asked for realtime priority: the limit alone does not tell, since root needs none
  /// and RealtimeKit grants beside it.
  static func sentence(_ scheduling: RealtimeThread.Scheduling) -> String {
    switch scheduling {
    case .realtime(let priority, .limits): "SCHED_FIFO, priority \(priority)"
    case .realtime(let priority, .realtimeKit): "by RealtimeKit, priority \(priority)"
    case .normal: "not asked for"
    case .refused(let reason): "refused (\(reason))"
    }
  }

  /// Whether this is a build whose figures mean anything.
  static let isOptimised: Bool = {
    var isOptimised = true
    // Debug builds alone evaluate it.
    assert(
      {
        isOptimised = false
        return true
      }())
    return isOptimised
  }()

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.1)
      "6.3.1 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? readFile(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n").first.map(String.init)
  }

  /// The lines `name SEPARATOR value` of a file, without quotes and the spaces around.
  private static func fields(
    _ path: String, separator: Character
  ) -> [(name: String, value: String)] {
    let trimmed = { (text: Substring) -> String in
      func isOutside(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }
      var rest = text.drop(while: isOutside)
      while let last = rest.last, isOutside(last) { rest.removeLast() }
      return String(rest)
    }
    return (text(path) ?? "").split(separator: "\n").compactMap { line in
      guard let place = line.firstIndex(of: separator) else { return nil }
      return (trimmed(line[..<place]), trimmed(line[line.index(after: place)...]))
    }
  }
}
