import Glibc
import LinuxIO

/// Blocks the calling thread for `seconds`.
public func pause(seconds: Double) {
  var left = timespec(
    tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1_000_000_000))
  var rest = timespec()
  while nanosleep(&left, &rest) != 0 && errno == EINTR { left = rest }
}

/// Asks `condition` again and again until it gives something or `seconds` have passed.
public func wait<Result>(
  seconds: Double, interval: Double = 0.005, until condition: () throws -> Result?
) rethrows -> Result? {
  let deadline = monotonicNow() + Int64(seconds * 1_000_000_000)
  while true {
    if let result = try condition() { return result }
    if monotonicNow() >= deadline { return nil }
    pause(seconds: interval)
  }
}
