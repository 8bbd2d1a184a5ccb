import Glibc
import LabSupport
import LinuxIO
import Testing

/// The system's message bus with RealtimeKit on it, which the virtual machine does not start by itself.
///
/// A desktop lets the person at the screen have realtime priority; here a rule of polkit's lets `nobody`.
final class SystemBus {
  private let bus: ChildProcess
  private let authority: ChildProcess
  private let rule = "/etc/polkit-1/rules.d/10-sonde-lab.rules"

  /// - Throws: when something does not start.
  init() throws {
    mkdir("/run/dbus", 0o755)
    mkdir("/etc/polkit-1/rules.d", 0o755)
    try TextFiles.write(
      """
      polkit.addRule(function(action, subject) {
        if (action.id == "org.freedesktop.RealtimeKit1.acquire-real-time" && subject.user == "nobody")
          return polkit.Result.YES;
      });
      """, to: rule)
    chmod("/etc/polkit-1/rules.d", 0o755)
    chmod(rule, 0o644)
    unlink("/run/dbus/pid")
    bus = try ChildProcess(["dbus-daemon", "--system", "--nofork", "--nopidfile"])
    try #require(wait(seconds: 60) { fileExists("/run/dbus/system_bus_socket") ? () : nil } != nil)
    authority = try ChildProcess(["/usr/lib/polkit-1/polkitd", "--no-debug"])
    // The bus starts RealtimeKit for the first who asks; Sonde waits only for a second, and here that is not enough.
    let answers: Void? = wait(seconds: 60, interval: 0.5) { asks("MaxRealtimePriority") ? () : nil }
    try #require(answers != nil, "\(bus.errors.all) \(authority.errors.all)")
  }

  private func asks(_ property: String) -> Bool {
    let name = "org.freedesktop.RealtimeKit1"
    let call = try? ChildProcess([
      "dbus-send", "--system", "--print-reply", "--dest=\(name)",
      "/org/freedesktop/RealtimeKit1", "org.freedesktop.DBus.Properties.Get", "string:\(name)",
      "string:\(property)",
    ])
    return call?.waitForEnd(seconds: 30) == .exited(0)
  }

  /// Stops the bus without closing it: whoever asks gets no answer.
  func freeze() { bus.signal(SIGSTOP) }

  func thaw() { bus.signal(SIGCONT) }

  deinit {
    unlink(rule)
    thaw()
    for process in [authority, bus] {
      process.signal(SIGTERM)
      _ = process.waitForEnd(seconds: 20)
    }
    unlink("/run/dbus/system_bus_socket")
  }
}
