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
    for finding in Doctor(root: folder.path, scheduling: .refused("")).examine()
    where finding.state != .good {
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

  @Test func aSlowGovernorIsNamedOnWhateverProcessor() throws {
    let folder = try TemporaryFolder("sonde-test")
    for number in [0, 1, 10] {
      try folder.write(
        "sys/devices/system/cpu/cpu\(number)/cpufreq/scaling_governor",
        number == 10 ? "powersave\n" : "performance\n")
    }
    try folder.write("sys/devices/system/cpu/cpufreq/boost", "1\n")
    let found = try finding("Processor frequency", folder)
    #expect(found.state == .warning && found.detail.contains("'powersave' on 1 of 3 processors"))
    try folder.write("sys/devices/system/cpu/cpu10/cpufreq/scaling_governor", "performance\n")
    #expect(try finding("Processor frequency", folder).detail.contains("all 3 processors"))
  }

  // MARK: Realtime

  private func finding(
    _ subject: String, _ folder: TemporaryFolder, _ scheduling: RealtimeThread.Scheduling
  ) -> Finding? {
    Doctor(root: folder.path, scheduling: scheduling).examine().first { $0.subject == subject }
  }

  @Test func whoGrantsRealtimePriorityIsNamed() throws {
    let folder = try TemporaryFolder("sonde-test")
    func priority(_ scheduling: RealtimeThread.Scheduling) -> Finding? {
      finding("Realtime priority", folder, scheduling)
    }
    let limits = try #require(priority(.realtime(priority: 70, by: .limits)))
    #expect(limits.state == .good && limits.detail.contains("limits grant it (SCHED_FIFO 70)"))
    let kit = try #require(priority(.realtime(priority: 14, by: .realtimeKit)))
    #expect(kit.state == .good && kit.detail.contains("RealtimeKit grants it (priority 14)"))
    let refused = try #require(priority(.refused("RealtimeKit does not answer.")))
    #expect(refused.state == .warning && refused.detail.hasSuffix("RealtimeKit does not answer."))
    #expect(refused.remedy?.contains("rtprio 95") == true)
  }

  @Test func realtimeKitIsMissedOnlyWhereTheLimitsGrantNothing() throws {
    let folder = try TemporaryFolder("sonde-test")
    func kit(_ scheduling: RealtimeThread.Scheduling) -> Finding? {
      finding("RealtimeKit", folder, scheduling)
    }
    #expect(kit(.realtime(priority: 70, by: .limits)) == nil)
    #expect(kit(.refused(""))?.remedy == "sudo apt install rtkit")
    // Where Debian's package rtkit puts it.
    try folder.write(
      "usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service", "")
    #expect(kit(.refused(""))?.state == .good)
  }

  /// The kernel's default is 950 000 of 1 000 000 µs; −1 switches the limit off.
  @Test(arguments: [("950000", true), ("-1", true), ("500000", false), ("0", false)])
  func aSmallRealtimeShareIsNamed(runtime: String, isGood: Bool) throws {
    let folder = try TemporaryFolder("sonde-test")
    try folder.write("proc/sys/kernel/sched_rt_runtime_us", "\(runtime)\n")
    try folder.write("proc/sys/kernel/sched_rt_period_us", "1000000\n")
    let found = try finding("Realtime share", folder)
    #expect((found.state == .good) == isGood)
    #expect(isGood || found.remedy == "sudo sysctl kernel.sched_rt_runtime_us=950000")
  }

  // MARK: The kernel

  @Test(
    arguments: [
      ("SMP PREEMPT_RT Debian", "quiet", "1", Finding.State.good),
      ("SMP PREEMPT_DYNAMIC Debian", "quiet", nil, .warning),
      ("SMP PREEMPT_DYNAMIC Debian", "quiet preempt=full", nil, .good),
      ("SMP PREEMPT_DYNAMIC Debian", "quiet preempt=fullish", nil, .warning),
      ("SMP PREEMPT Raspbian", "", nil, .good), ("SMP Debian", "", nil, .warning),
    ] as [(String, String, String?, Finding.State)])
  func preemptionIsReadFromTheKernel(
    version: String, options: String, realtime: String?, state: Finding.State
  ) throws {
    let folder = try TemporaryFolder("sonde-test")
    try folder.write("proc/version", "Linux version 6.1.0 (gcc) #1 \(version) 6.1.1 (2026-01-01)\n")
    try folder.write("proc/cmdline", "root=/dev/sda1 \(options)\n")
    if let realtime { try folder.write("sys/kernel/realtime", "\(realtime)\n") }
    let found = try finding("Preemption", folder)
    #expect(found.state == state)
    #expect((found.remedy == nil) == (state == .good))
  }

  @Test func timersAreExact() throws {
    let folder = try TemporaryFolder("sonde-test")
    let clock = "sys/devices/system/clocksource/clocksource0"
    try folder.write("\(clock)/available_clocksource", "tsc hpet acpi_pm \n")
    try folder.write("\(clock)/current_clocksource", "hpet\n")
    let slow = try finding("Timers", folder)
    #expect(slow.state == .warning && slow.detail.contains("hpet"))
    #expect(slow.remedy?.hasPrefix("echo tsc | sudo tee /sys/devices/") == true)
    try folder.write("\(clock)/current_clocksource", "tsc\n")
    #expect(try finding("Timers", folder).state == .good)
    // Without high-resolution timers a kernel of 250 Hz knows 4 ms.
    let coarse = Doctor(root: folder.path, timerResolution: 4_000_000).examine()
    let found = try #require(coarse.first { $0.subject == "Timers" })
    #expect(found.state == .warning && found.detail.contains("4 ms"))
  }

  @Test func latencyIsToldInParts() {
    // 2×256 frames at 48 kHz are 10.7 ms, 48 more are 1 ms, and a k-cycle of 32 is 0.7 ms.
    let format = AudioFormat(rate: 48_000, channels: 2, deviceChannels: 2, period: 256, periods: 2)
    let good = LatencyFinding.finding(
      .success(.init(device: "alsa default", format: format, addedFrames: 48, plays: true)))
    #expect(good.state == .good)
    #expect(good.detail.hasPrefix("12.3 ms from a gesture"))
    #expect(good.detail.contains("buffer 10.7 ms, device 1.0 ms, margin 0.7 ms"))
    #expect(!good.detail.contains("microphone"))
    let heard = LatencyFinding.finding(
      .success(
        .init(
          device: "alsa default", format: format, addedFrames: 48, capture: 8_000_000,
          plays: true)))
    #expect(heard.detail.contains("; from the microphone 19.7 ms, with 8.0 ms of"))
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
