import CLinux

/// Gives the calling thread SCHED_FIFO with this priority, where that is allowed.
///
/// - Returns: whether it was.
public func setThreadRealtime(priority: Int32) -> Bool { sonde_set_thread_realtime(priority) == 0 }
