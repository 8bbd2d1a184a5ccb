import Audio
import LinuxIO
import Testing

@testable import Bridge

/// If these fail, `sonde doctor` sends its user the wrong way.
@Suite struct DoctorTests {
  private func finding(_ subject: String, _ folder: TemporaryFolder) throws -> Finding {
    try #require(Doctor(root: folder.path).examine().first { $0.subject == subject })
  }

  @Test func anEmptyMachineLacksEverything() throws {
    let folder = try TemporaryFolder("sonde-test")
    #expect(try finding("Csound modules", folder).state == .warning)
    #expect(try finding("Sound card", folder).state == .missing)
    #expect(try finding("Device manager", folder).state == .warning)
    #expect(try finding("Device rules", folder).state == .warning)
    // Nothing plugged in is no fault.
    #expect(try finding("Controllers", folder).state == .good)
    for finding in Doctor(root: folder.path).examine() where finding.state != .good {
      #expect(finding.remedy?.isEmpty == false, "\(finding.subject) has no remedy")
    }
  }

  @Test func aWholeMachineIsGood() throws {
    let folder = try TemporaryFolder("sonde-test")
    try folder.write("usr/lib/x86_64-linux-gnu/csound/plugins64-6.0/libx.so", "")
    try folder.write("usr/lib/x86_64-linux-gnu/csound/plugins64-6.0/README", "")
    try folder.write("dev/snd/pcmC0D0p", "")
    try folder.write("dev/snd/pcmC0D0c", "")
    try folder.write("dev/snd/controlC0", "")
    try folder.write("run/udev/control", "")
    try folder.write("etc/udev/rules.d/70-sonde.rules", "")
    try folder.write("dev/input/event0", "")
    try folder.write("dev/input/mice", "")
    try folder.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n")
    let modules = try finding("Csound modules", folder)
    #expect(modules.state == .good && modules.detail.hasPrefix("1 opcode"))
    let card = try finding("Sound card", folder)
    #expect(card.state == .good && card.detail == "1 playback device.")
    for subject in ["Device manager", "Device rules", "Controllers", "Processor frequency"] {
      #expect(try finding(subject, folder).state == .good)
    }
    #expect(try finding("Controllers", folder).detail.contains("All 1 "))
  }

  @Test func pipeWireWithoutItsDoorForALSAIsNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    func finding() -> Finding? {
      Doctor(root: folder.path, runtimeFolder: "/run/user/1000").examine().first {
        $0.subject == "Sound server"
      }
    }
    #expect(finding() == nil)
    try folder.write("run/user/1000/pipewire-0", "")
    #expect(finding()?.state == .warning && finding()?.remedy == "sudo apt install pipewire-alsa")
    // As Debian's package pipewire-alsa installs it.
    try folder.write("etc/alsa/conf.d/99-pipewire-default.conf", "")
    #expect(finding()?.state == .good)
  }

  @Test func aSlowGovernorIsNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    try folder.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
    let finding = try finding("Processor frequency", folder)
    #expect(finding.state == .warning && finding.detail.contains("'powersave'"))
  }

  @Test func latencyIsToldInParts() {
    // 2×256 frames at 48 kHz are 10.7 ms, 48 more are 1 ms, and a k-cycle of 32 is 0.7 ms.
    let format = AudioFormat(rate: 48_000, channels: 2, deviceChannels: 2, period: 256, periods: 2)
    let good = LatencyFinding.finding(
      .success(.init(device: "alsa default", format: format, addedFrames: 48, plays: true)))
    #expect(good.state == .good)
    #expect(good.detail.hasPrefix("12.3 ms from a gesture"))
    #expect(good.detail.contains("buffer 10.7 ms, device 1.0 ms, margin 0.7 ms"))
    let long = AudioFormat(rate: 48_000, channels: 2, deviceChannels: 2, period: 1024, periods: 4)
    let slow = LatencyFinding.finding(
      .success(.init(device: "alsa default", format: long, addedFrames: 0, plays: true)))
    #expect(slow.state == .warning && slow.remedy?.contains("--latency") == true)
    let stalled = LatencyFinding.finding(
      .success(.init(device: "alsa default", format: format, addedFrames: 0, plays: false)))
    #expect(stalled.state == .warning && stalled.detail.contains("takes no sound"))
    let busy = LatencyFinding.finding(.failure(AudioError("The audio device default is in use.")))
    #expect(busy.state == .warning && busy.detail == "The audio device default is in use.")
  }
}
