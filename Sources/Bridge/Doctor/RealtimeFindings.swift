import LinuxIO

/// What keeps the threads that play from waiting: their priority and their memory.
extension Doctor {
  private var limitsRemedy: String {
    "echo '@audio - rtprio 95' | sudo tee -a /etc/security/limits.d/sonde.conf   # and join group audio"
  }

  func realtimePriority() -> Finding {
    switch scheduling {
    case .realtime(let priority, by: .limits):
      return Finding(
        .good, "Realtime priority", "This login's limits grant it (SCHED_FIFO \(priority)).")
    case .realtime(let priority, by: .realtimeKit):
      return Finding(
        .good, "Realtime priority",
        "RealtimeKit grants it (priority \(priority)); sound that computes too long at a stretch loses it."
      )
    case .refused(let reason):
      return Finding(
        .warning, "Realtime priority",
        "It is refused; the sound may crackle when the machine is busy. \(reason)",
        remedy: limitsRemedy)
    case .normal:
      return Finding(
        .warning, "Realtime priority", "It could not be tried: there are too many threads.",
        remedy: limitsRemedy)
    }
  }

  /// Of interest where the limits grant nothing.
  func realtimeKit() -> Finding? {
    if case .realtime(_, by: .limits) = scheduling { return nil }
    let service = "/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service"
    if fileExists(root + service) {
      return Finding(
        .good, "RealtimeKit", "It is installed, and is asked where the limits grant nothing.")
    }
    return Finding(
      .warning, "RealtimeKit",
      "It is not installed; on a desktop it grants realtime priority without a change of the limits.",
      remedy: "sudo apt install rtkit")
  }

  /// The kernel keeps a share of every second for ordinary threads, so that a realtime one cannot stop the machine.
  func realtimeShare() -> Finding? {
    guard let runtime = text("/proc/sys/kernel/sched_rt_runtime_us").flatMap(Int.init),
      let period = text("/proc/sys/kernel/sched_rt_period_us").flatMap(Int.init), period > 0
    else { return nil }
    if runtime < 0 {
      return Finding(.good, "Realtime share", "Realtime threads may use all of a processor.")
    }
    let percent = runtime * 100 / period
    if percent >= 90 {
      return Finding(
        .good, "Realtime share", "Realtime threads may use \(percent) % of a processor.")
    }
    return Finding(
      .warning, "Realtime share",
      "Realtime threads may use only \(percent) % of a processor; the sound stops for the rest of each period.",
      remedy: "sudo sysctl kernel.sched_rt_runtime_us=\(period / 100 * 95)")
  }

  func lockedMemory() -> Finding {
    if ProcessLimits.lockedMemory == nil {
      return Finding(.good, "Locked memory", "Unlimited.")
    }
    return Finding(
      .warning, "Locked memory",
      "It is limited, so memory is not locked; swapping can interrupt the sound.",
      remedy: "echo '@audio - memlock unlimited' | sudo tee -a /etc/security/limits.d/sonde.conf")
  }
}
