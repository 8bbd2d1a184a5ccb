import LinuxIO

/// What the kernel and the processor do to the time between two k-cycles.
extension Doctor {
  /// Whether the kernel lets a realtime thread run while it is itself at work.
  func preemption() -> Finding? {
    if text("/sys/kernel/realtime") == "1" {
      return Finding(.good, "Preemption", "The kernel is a realtime kernel (PREEMPT_RT).")
    }
    guard let version = text("/proc/version") else { return nil }
    let words = version.split(separator: " ")
    let options = (text("/proc/cmdline") ?? "").split(separator: " ")
    let hasThreads = options.contains("threadirqs")
    let threads = hasThreads ? ", with interrupts in threads (threadirqs)" : ""
    if words.contains("PREEMPT") || options.contains("preempt=full") {
      return Finding(.good, "Preemption", "The kernel can be interrupted anywhere\(threads).")
    }
    if words.contains("PREEMPT_DYNAMIC") {
      return Finding(
        .warning, "Preemption",
        "The kernel finishes its own work first, which may cost a millisecond; it matters with short buffers.",
        remedy:
          "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&preempt=full threadirqs /' /etc/default/grub && sudo update-grub   # then restart"
      )
    }
    return Finding(
      .warning, "Preemption",
      "The kernel was built to finish its own work first, which may cost milliseconds; it matters with short buffers.",
      remedy: "sudo apt install linux-image-rt-$(dpkg --print-architecture)   # then restart")
  }

  func timers() -> Finding? {
    if timerResolution > 1_000_000 {
      return Finding(
        .warning, "Timers",
        "They know steps of \(timerResolution / 1_000_000) ms only: the kernel's high-resolution timers are off.",
        remedy:
          "sudo sed -i 's/ *highres=off//' /etc/default/grub && sudo update-grub   # then restart")
    }
    let folder = "/sys/devices/system/clocksource/clocksource0"
    guard let clock = text("\(folder)/current_clocksource") else { return nil }
    let available = (text("\(folder)/available_clocksource") ?? "").split(separator: " ")
    let isSlow = ["hpet", "acpi_pm", "jiffies", "refined-jiffies"].contains(clock)
    if isSlow && available.contains("tsc") {
      return Finding(
        .warning, "Timers", "The clock \(clock) is slow to read; the processor's own is there.",
        remedy: "echo tsc | sudo tee \(folder)/current_clocksource")
    }
    return Finding(.good, "Timers", "They are exact; the clock is \(clock).")
  }

  func processorFrequency() -> Finding? {
    let folder = "/sys/devices/system/cpu"
    let processors = contents(folder).filter {
      $0.hasPrefix("cpu") && Int($0.dropFirst(3)) != nil
    }
    let governors = processors.compactMap { text("\(folder)/\($0)/cpufreq/scaling_governor") }
    let others = governors.filter { $0 != "performance" }
    guard let governor = others.first else {
      if governors.isEmpty { return nil }
      return Finding(
        .good, "Processor frequency",
        "The governor is 'performance' on all \(governors.count) processors.")
    }
    return Finding(
      .warning, "Processor frequency",
      "The governor is '\(governor)' on \(others.count) of \(governors.count) processors; it may lower the frequency between notes.",
      remedy: "sudo cpupower frequency-set -g performance")
  }
}
