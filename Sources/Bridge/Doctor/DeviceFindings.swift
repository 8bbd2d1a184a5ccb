import LinuxIO

/// What controllers need: someone who announces them, and permission.
extension Doctor {
  func deviceManager() -> Finding {
    if fileExists("\(root)/run/udev/control") {
      return Finding(.good, "Device manager", "udev is running; plugged devices are announced.")
    }
    return Finding(
      .warning, "Device manager",
      "udev is not running (a container?); devices are found by what the kernel announces.",
      remedy: "sudo systemctl start systemd-udevd")
  }

  func deviceRules() -> Finding {
    let folders = ["/etc/udev/rules.d", "/lib/udev/rules.d", "/usr/lib/udev/rules.d"]
    if let folder = folders.first(where: { contents($0).contains("70-sonde.rules") }) {
      return Finding(.good, "Device rules", "\(folder)/70-sonde.rules is installed.")
    }
    return Finding(
      .warning, "Device rules",
      "70-sonde.rules is not installed; the motion sensors of pads cannot be read.",
      remedy: "sudo make install   # in Sonde's folder; then plug the pad in again")
  }

  func inputNodes() -> [Finding] {
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
}
