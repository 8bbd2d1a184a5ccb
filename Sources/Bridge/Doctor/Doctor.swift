import Audio
public import LinuxIO

/// Looks at what Sonde needs of the system, and knows the line that mends what is missing.
public struct Doctor {
  /// Where system folders are read from: empty for the real ones, a folder for tests.
  private let root: String
  /// The user's folder for sockets, `$XDG_RUNTIME_DIR`, or nil.
  private let runtimeFolder: String?

  public init(
    root: String = "", runtimeFolder: String? = environmentVariable("XDG_RUNTIME_DIR")
  ) {
    self.root = root
    self.runtimeFolder = runtimeFolder
  }

  /// Everything looked at, in the order in which a user would mend it.
  public func examine() -> [Finding] {
    [csoundModules(), soundCards(), soundServer(), latency(), deviceManager(), deviceRules()]
      .compactMap { $0 }
      + inputNodes()
      + [realtimePriority(), lockedMemory(), processorFrequency()].compactMap { $0 }
  }

  private func csoundModules() -> Finding {
    let folders = ["/usr/lib", "/usr/local/lib"].flatMap { library in
      [library]
        + (contents(library).filter { $0.contains("-linux-gnu") }.map { "\(library)/\($0)" })
    }.map { "\($0)/csound/plugins64-6.0" }
    if let named = environmentVariable("OPCODE6DIR64"), contents(named).isEmpty {
      return Finding(
        .warning, "Csound modules",
        "OPCODE6DIR64 names \(named), where there are none; many opcodes will be unknown.",
        remedy: "unset OPCODE6DIR64")
    }
    if let folder = folders.first(where: { !contents($0).isEmpty }) {
      let count = contents(folder).filter { $0.hasSuffix(".so") }.count
      return Finding(.good, "Csound modules", "\(count) opcode libraries in \(folder).")
    }
    return Finding(
      .warning, "Csound modules",
      "No opcode libraries were found; instruments that use plug-in opcodes will not compile.",
      remedy: "sudo apt install csound")
  }

  private func soundCards() -> Finding {
    let nodes = contents("/dev/snd").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
    if nodes.isEmpty {
      return Finding(
        .missing, "Sound card",
        "There is none that plays; 'sonde render' and '--audio none' work without one.",
        remedy: "sonde render --map mappings/tilt.map --take mappings/tilt.take --output demo.wav")
    }
    let denied = nodes.filter { !isReadable("\(root)/dev/snd/\($0)") }
    if denied.count == nodes.count {
      return Finding(
        .missing, "Sound card", "You may not open /dev/snd/\(denied[0]).",
        remedy: "sudo usermod -aG audio \"$USER\"   # then log in again")
    }
    return Finding(
      .good, "Sound card", "\(nodes.count) playback device\(nodes.count == 1 ? "" : "s").")
  }

  /// On a PipeWire desktop the card is PipeWire's, and ALSA programs need its door.
  private func soundServer() -> Finding? {
    guard let runtimeFolder, fileExists("\(root)\(runtimeFolder)/pipewire-0") else { return nil }
    let files = contents("/etc/alsa/conf.d") + contents("/usr/share/alsa/alsa.conf.d")
    if files.contains(where: { $0.contains("pipewire-default") }) {
      return Finding(.good, "Sound server", "PipeWire runs, and ALSA's default device reaches it.")
    }
    return Finding(
      .warning, "Sound server",
      "PipeWire runs, but ALSA's default device does not reach it; the card may be busy.",
      remedy: "sudo apt install pipewire-alsa")
  }

  /// Of this machine only: a folder has no devices to open.
  private func latency() -> Finding? {
    if !root.isEmpty { return nil }
    do throws(AudioError) {
      return LatencyFinding.finding(.success(try LatencyFinding.tryDefaultDevice()))
    } catch {
      // Where there is no sound card, that has been said.
      if error.isMissing && soundCards().state == .missing { return nil }
      return LatencyFinding.finding(.failure(error))
    }
  }

  private func deviceManager() -> Finding {
    if fileExists("\(root)/run/udev/control") {
      return Finding(.good, "Device manager", "udev is running; plugged devices are announced.")
    }
    return Finding(
      .warning, "Device manager",
      "udev is not running (a container?); devices are found by what the kernel announces.",
      remedy: "sudo systemctl start systemd-udevd")
  }

  private func deviceRules() -> Finding {
    let folders = ["/etc/udev/rules.d", "/lib/udev/rules.d", "/usr/lib/udev/rules.d"]
    if let folder = folders.first(where: { contents($0).contains("70-sonde.rules") }) {
      return Finding(.good, "Device rules", "\(folder)/70-sonde.rules is installed.")
    }
    return Finding(
      .warning, "Device rules",
      "70-sonde.rules is not installed; the motion sensors of pads cannot be read.",
      remedy: "sudo make install   # in Sonde's folder; then plug the pad in again")
  }

  private func inputNodes() -> [Finding] {
    let nodes = contents("/dev/input").filter { $0.hasPrefix("event") }
    if nodes.isEmpty {
      return [
        Finding(.good, "Controllers", "None is plugged in; what is plugged in later will be found.")
      ]
    }
    let denied = nodes.filter { !isReadable("\(root)/dev/input/\($0)") }
    if denied.isEmpty {
      return [Finding(.good, "Controllers", "All \(nodes.count) input nodes can be read.")]
    }
    return [
      Finding(
        .warning, "Controllers",
        "\(denied.count) of \(nodes.count) input nodes cannot be read; 'sonde devices' names those that matter.",
        remedy: "sudo usermod -aG input \"$USER\"   # for headless machines; then log in again")
    ]
  }

  private func realtimePriority() -> Finding {
    let limit = ProcessLimits.realtimePriority
    if limit >= 50 {
      return Finding(.good, "Realtime priority", "Up to \(min(limit, 99)) is allowed.")
    }
    return Finding(
      .warning, "Realtime priority",
      "It is refused; the sound may crackle when the machine is busy.",
      remedy:
        "echo '@audio - rtprio 95' | sudo tee -a /etc/security/limits.d/sonde.conf   # and join group audio"
    )
  }

  private func lockedMemory() -> Finding {
    if ProcessLimits.lockedMemory == nil {
      return Finding(.good, "Locked memory", "Unlimited.")
    }
    return Finding(
      .warning, "Locked memory",
      "It is limited, so memory is not locked; swapping can interrupt the sound.",
      remedy: "echo '@audio - memlock unlimited' | sudo tee -a /etc/security/limits.d/sonde.conf")
  }

  private func processorFrequency() -> Finding? {
    let file = "\(root)/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    guard let bytes = try? readFile(file) else { return nil }
    let governor = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    if governor == "performance" {
      return Finding(.good, "Processor frequency", "The governor is 'performance'.")
    }
    return Finding(
      .warning, "Processor frequency",
      "The governor is '\(governor)'; it may lower the frequency between notes.",
      remedy: "sudo cpupower frequency-set -g performance")
  }

  private func contents(_ folder: String) -> [String] {
    ((try? folderContents(root + folder)) ?? []).sorted()
  }
}
