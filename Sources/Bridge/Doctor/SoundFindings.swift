import Audio
import LinuxIO

/// What the sound needs: Csound, a card, and the way to it.
extension Doctor {
  func csoundModules() -> Finding {
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

  func soundCards() -> Finding {
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
  func soundServer() -> Finding? {
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
  func latency() -> Finding? {
    if !root.isEmpty { return nil }
    do throws(AudioError) {
      return LatencyFinding.finding(.success(try LatencyFinding.tryDefaultDevice()))
    } catch {
      // Where there is no sound card, that has been said.
      if error.isMissing && soundCards().state == .missing { return nil }
      return LatencyFinding.finding(.failure(error))
    }
  }
}
