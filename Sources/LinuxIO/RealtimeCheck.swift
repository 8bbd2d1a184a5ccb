import CLinux

/// Marks realtime code for RealtimeSanitizer, which ends the process when such code allocates or locks.
///
/// In an ordinary build, without the sanitizer's runtime, the marks cost two empty calls. The sanitizer also counts
/// `read`, `epoll_wait` and `ioctl` as calls that may wait; on the INPUT thread they are its work, and their descriptors
/// never wait, so a checked run names them in a suppressions file (`function-name-matches:read` …).
public enum RealtimeCheck {
  @_noLocks
  public static func enter() { RealtimeCalls.markRealtime(true) }

  @_noLocks
  public static func exit() { RealtimeCalls.markRealtime(false) }

  /// Whether the sanitizer's runtime is linked in.
  public static var isActive: Bool { sonde_realtime_checked() != 0 }
}
